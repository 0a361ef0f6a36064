"use strict";
/* How many workgroups fit on a compute unit: the rules of analysis/residency.py, tested against them. */
Report.residency = function (limits, demand) {
  const up = (value, multiple) => Math.ceil(value / multiple) * multiple;
  const joined = limits.pairs && !demand.cuMode ? 2 : 1;
  const simds = limits.simds * joined;
  const slots = limits.slots * simds;
  const waves = Math.ceil(demand.threads / demand.waveSize);
  const [registers, granule] = limits.vgprs[demand.waveSize];
  const accum = limits.accumulation === "none" ? 0 : demand.accumVgprs;
  // Accumulation registers follow the others in one file from a multiple of 4 on, or have one of their own.
  const wanted = limits.accumulation === "unified" ? up(demand.archVgprs, 4) + accum : Math.max(demand.archVgprs, accum);
  const capacity = { waves: slots, vgpr: Math.floor(registers / Math.max(granule, up(wanted, granule))) * simds };
  if (limits.sgprSteps.length) {
    const step = limits.sgprSteps.find(([most]) => demand.sgprs <= most) || limits.sgprSteps[limits.sgprSteps.length - 1];
    capacity.sgpr = step[1] * simds;
  }
  const groups = {};
  for (const [resource, count] of Object.entries(capacity)) groups[resource] = Math.floor(count / waves);
  if (waves > 1) groups.barriers = limits.barriers * joined; // one wave has no other to wait for
  if (demand.ldsBytes) {
    groups.lds = demand.ldsBytes <= limits.ldsPerGroup ? Math.floor(limits.lds * joined / up(demand.ldsBytes, limits.ldsGranule)) : 0;
  }
  if (demand.threads > limits.maxThreads) groups.workgroup = 0;
  const fits = Math.min(...Object.values(groups));
  const resident = fits * waves;
  const inWaves = (resource) => capacity[resource] ?? groups[resource] * waves;
  let limiter = "waves";
  if (resident !== slots) {
    const fewest = Object.keys(groups).reduce((best, one) =>
      groups[one] < groups[best] || (groups[one] === groups[best] && inWaves(one) < inWaves(best)) ? one : best);
    const held = Math.min(inWaves(fewest), slots);
    limiter = held - resident > slots - held ? "workgroup" : fewest;
  }
  return { groups: fits, limits: groups, wavesPerSimd: resident / simds, share: resident / slots, limiter, unit: joined > 1 ? "WGP" : "CU" };
};
