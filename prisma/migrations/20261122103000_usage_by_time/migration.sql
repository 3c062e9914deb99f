-- What was spent today is asked every half minute: rows are written in the order of their times.
CREATE INDEX "usage_at_idx" ON "usage" USING BRIN ("at");
