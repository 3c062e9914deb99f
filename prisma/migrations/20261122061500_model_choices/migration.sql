-- The model that a host was found to serve a role with, where the settings name none.
CREATE TABLE "model_choices" (
    "host" TEXT NOT NULL,
    "role" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "chosen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "replaced" TEXT,

    CONSTRAINT "model_choices_pkey" PRIMARY KEY ("host", "role")
);
