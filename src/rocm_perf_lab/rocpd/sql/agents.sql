-- The GPUs that could be dispatched to. extdata is JSON: rocprofiler-sdk's properties of the agent.
SELECT guid, id, absolute_index, name, product_name, extdata
FROM rocpd_info_agent
WHERE type = 'GPU'
