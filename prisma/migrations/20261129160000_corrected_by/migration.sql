-- A birthday stays dropped for as long as the one that corrects it is kept: read again after that, its turn brings it back.
ALTER TABLE intentions ADD COLUMN corrected_by uuid;
