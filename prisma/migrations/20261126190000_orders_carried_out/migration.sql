-- When every service had carried the newest order of a group out. A job gives up after its tries, and the services
-- it had not come to were never told: the sweeper goes on with such an order. Orders of before are carried out once more.
ALTER TABLE "place_orders" ADD COLUMN "carried_out_at" TIMESTAMPTZ(3);
CREATE INDEX "place_orders_open_idx" ON "place_orders"("at") WHERE "carried_out_at" IS NULL;
