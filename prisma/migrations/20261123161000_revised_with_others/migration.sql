-- Messages that said the same as an edited or deleted one: what was remembered of them went along, and has to be
-- remembered again. They were told by the rows as these went, so an order that was broken off after that knew of none.
ALTER TABLE "forget_records" ADD COLUMN "others" TEXT[] NOT NULL DEFAULT '{}';
