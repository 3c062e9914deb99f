-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateTable
CREATE TABLE "people" (
    "person_id" UUID NOT NULL,
    "display_name" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "people_pkey" PRIMARY KEY ("person_id")
);

-- CreateTable
CREATE TABLE "identities" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "door" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "identities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" TEXT NOT NULL,
    "scopes" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "conversations" (
    "conversation_id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "door" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "person_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_message_at" TIMESTAMPTZ(3),
    "lease_token" BIGINT NOT NULL DEFAULT 0,
    "lease_until" TIMESTAMPTZ(3),

    CONSTRAINT "conversations_pkey" PRIMARY KEY ("conversation_id")
);

-- CreateTable
CREATE TABLE "inbox" (
    "id" BIGSERIAL NOT NULL,
    "conversation_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "door" TEXT NOT NULL,
    "external_id" TEXT NOT NULL,
    "origin" TEXT NOT NULL DEFAULT 'message',
    "text" TEXT NOT NULL,
    "target" JSONB,
    "sent_at" TIMESTAMPTZ(3) NOT NULL,
    "received_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "turn_id" UUID,
    "outcome" TEXT,
    "outcome_reason" TEXT,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "inbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "turns" (
    "turn_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "door" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "origin" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "reason" TEXT,
    "model" TEXT,
    "rehearsal" BOOLEAN NOT NULL DEFAULT false,
    "degraded" TEXT[],
    "trace" JSONB NOT NULL,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "turns_pkey" PRIMARY KEY ("turn_id")
);

-- CreateTable
CREATE TABLE "transcript" (
    "id" BIGSERIAL NOT NULL,
    "conversation_id" UUID NOT NULL,
    "turn_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "external_id" TEXT,
    "text" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "transcript_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outbox" (
    "id" UUID NOT NULL,
    "turn_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "door" TEXT NOT NULL,
    "target" JSONB NOT NULL,
    "text" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "last_error" TEXT,
    "platform_ids" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "settled_at" TIMESTAMPTZ(3),

    CONSTRAINT "outbox_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "usage" (
    "id" UUID NOT NULL,
    "turn_id" UUID NOT NULL,
    "conversation_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "model" TEXT NOT NULL,
    "prompt_tokens" INTEGER NOT NULL,
    "completion_tokens" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "usage_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memories" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "writer" TEXT NOT NULL,
    "importance" DOUBLE PRECISION NOT NULL,
    "said_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_recalled_at" TIMESTAMPTZ(3),
    "times_recalled" INTEGER NOT NULL DEFAULT 0,
    "turn_id" UUID,
    "sources" TEXT[],
    "indexed_in" TEXT,

    CONSTRAINT "memories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "memory_vectors" (
    "memory_id" UUID NOT NULL,
    "space" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "audience" TEXT NOT NULL,
    "vector" BYTEA NOT NULL,
    "terms" JSONB NOT NULL,

    CONSTRAINT "memory_vectors_pkey" PRIMARY KEY ("memory_id","space")
);

-- CreateTable
CREATE TABLE "companions" (
    "companion_id" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "persona" JSONB NOT NULL,
    "hash" TEXT NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 1,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "companions_pkey" PRIMARY KEY ("companion_id")
);

-- CreateTable
CREATE TABLE "moods" (
    "companion_id" TEXT NOT NULL,
    "p" DOUBLE PRECISION NOT NULL,
    "a" DOUBLE PRECISION NOT NULL,
    "d" DOUBLE PRECISION NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "moods_pkey" PRIMARY KEY ("companion_id")
);

-- CreateTable
CREATE TABLE "affect_events" (
    "id" BIGSERIAL NOT NULL,
    "companion_id" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "turn_id" UUID NOT NULL,
    "appraisal" JSONB NOT NULL,
    "emotion" TEXT NOT NULL,
    "intensity" DOUBLE PRECISION NOT NULL,
    "appraiser" TEXT NOT NULL,
    "p" DOUBLE PRECISION NOT NULL,
    "a" DOUBLE PRECISION NOT NULL,
    "d" DOUBLE PRECISION NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "affect_events_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "relationships" (
    "companion_id" TEXT NOT NULL,
    "person_id" UUID NOT NULL,
    "familiarity" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "affection" DOUBLE PRECISION NOT NULL DEFAULT 0.5,
    "trust" DOUBLE PRECISION NOT NULL DEFAULT 0.5,
    "interactions" INTEGER NOT NULL DEFAULT 0,
    "offset_p" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "offset_a" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "offset_d" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "offset_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "first_met_at" TIMESTAMPTZ(3) NOT NULL,
    "last_spoke_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "relationships_pkey" PRIMARY KEY ("companion_id","person_id")
);

-- CreateTable
CREATE TABLE "self_notes" (
    "companion_id" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "text" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "self_notes_pkey" PRIMARY KEY ("companion_id","day")
);

-- CreateTable
CREATE TABLE "outreach_settings" (
    "person_id" UUID NOT NULL,
    "opted_in" BOOLEAN NOT NULL DEFAULT false,
    "opted_in_at" TIMESTAMPTZ(3),
    "time_zone" TEXT NOT NULL DEFAULT 'UTC',
    "quiet_from" TEXT NOT NULL DEFAULT '22:00',
    "quiet_until" TEXT NOT NULL DEFAULT '08:00',
    "daily_cap" INTEGER NOT NULL DEFAULT 1,
    "last_spoke_at" TIMESTAMPTZ(3),
    "unanswered" INTEGER NOT NULL DEFAULT 0,
    "unreachable" TEXT,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outreach_settings_pkey" PRIMARY KEY ("person_id")
);

-- CreateTable
CREATE TABLE "intentions" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "turn_id" UUID NOT NULL,
    "about" TEXT NOT NULL,
    "due_at" TIMESTAMPTZ(3) NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "intentions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "outreach_attempts" (
    "id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "companion_id" TEXT NOT NULL,
    "intention_id" UUID,
    "reason" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "decided_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "outreach_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "identities_person_id_idx" ON "identities"("person_id");

-- CreateIndex
CREATE UNIQUE INDEX "identities_door_subject_key" ON "identities"("door", "subject");

-- CreateIndex
CREATE UNIQUE INDEX "api_keys_hash_key" ON "api_keys"("hash");

-- CreateIndex
CREATE INDEX "api_keys_person_id_idx" ON "api_keys"("person_id");

-- CreateIndex
CREATE INDEX "conversations_person_id_idx" ON "conversations"("person_id");

-- CreateIndex
CREATE UNIQUE INDEX "conversations_door_external_id_companion_id_key" ON "conversations"("door", "external_id", "companion_id");

-- CreateIndex
CREATE INDEX "inbox_conversation_id_id_idx" ON "inbox"("conversation_id", "id");

-- CreateIndex
CREATE INDEX "inbox_outcome_received_at_idx" ON "inbox"("outcome", "received_at");

-- CreateIndex
CREATE UNIQUE INDEX "inbox_door_conversation_id_external_id_key" ON "inbox"("door", "conversation_id", "external_id");

-- CreateIndex
CREATE INDEX "turns_conversation_id_ended_at_idx" ON "turns"("conversation_id", "ended_at");

-- CreateIndex
CREATE INDEX "turns_person_id_ended_at_idx" ON "turns"("person_id", "ended_at");

-- CreateIndex
CREATE INDEX "transcript_conversation_id_id_idx" ON "transcript"("conversation_id", "id");

-- CreateIndex
CREATE INDEX "transcript_turn_id_idx" ON "transcript"("turn_id");

-- CreateIndex
CREATE INDEX "outbox_status_created_at_idx" ON "outbox"("status", "created_at");

-- CreateIndex
CREATE INDEX "outbox_person_id_idx" ON "outbox"("person_id");

-- CreateIndex
CREATE INDEX "usage_person_id_at_idx" ON "usage"("person_id", "at");

-- CreateIndex
CREATE INDEX "memories_person_id_companion_id_said_at_idx" ON "memories"("person_id", "companion_id", "said_at" DESC);

-- CreateIndex
CREATE INDEX "memories_indexed_in_idx" ON "memories"("indexed_in");

-- CreateIndex
CREATE INDEX "memories_created_at_idx" ON "memories"("created_at");

-- CreateIndex
CREATE UNIQUE INDEX "memories_person_id_companion_id_audience_content_hash_key" ON "memories"("person_id", "companion_id", "audience", "content_hash");

-- CreateIndex
CREATE INDEX "memory_vectors_person_id_space_idx" ON "memory_vectors"("person_id", "space");

-- CreateIndex
CREATE INDEX "affect_events_companion_id_at_idx" ON "affect_events"("companion_id", "at");

-- CreateIndex
CREATE UNIQUE INDEX "affect_events_turn_id_emotion_key" ON "affect_events"("turn_id", "emotion");

-- CreateIndex
CREATE INDEX "intentions_status_due_at_idx" ON "intentions"("status", "due_at");

-- CreateIndex
CREATE INDEX "intentions_person_id_idx" ON "intentions"("person_id");

-- CreateIndex
CREATE UNIQUE INDEX "intentions_turn_id_about_key" ON "intentions"("turn_id", "about");

-- CreateIndex
CREATE UNIQUE INDEX "outreach_attempts_intention_id_key" ON "outreach_attempts"("intention_id");

-- CreateIndex
CREATE INDEX "outreach_attempts_person_id_decided_at_idx" ON "outreach_attempts"("person_id", "decided_at");

-- AddForeignKey
ALTER TABLE "identities" ADD CONSTRAINT "identities_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("person_id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("person_id") ON DELETE CASCADE ON UPDATE CASCADE;
