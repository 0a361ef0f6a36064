-- Schema 4. The agent of every track that has one.
SELECT guid, id, agent_id FROM rocpd_track WHERE agent_id IS NOT NULL
