-- Orders to leave places and to return to them are jobs, and a stalled one may come after a later one of the other kind:
-- the newest of each group decides. Its places are kept for the return, when the door may not know all of them
-- any more: a thread may have been archived meanwhile.
CREATE TABLE "place_orders" (
    "door" TEXT NOT NULL,
    "within" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "left" BOOLEAN NOT NULL,
    "places" TEXT[] NOT NULL,

    CONSTRAINT "place_orders_pkey" PRIMARY KEY ("door", "within")
);
