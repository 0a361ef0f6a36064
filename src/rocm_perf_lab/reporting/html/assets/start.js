"use strict";
/* Starts every part by itself: a part that fails says so and leaves the others alone. */
(function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  const parts = {
    theme: () => Report.startTheme(),
    table: () => Report.startTable(),
    roofline: () => Report.startRoofline(data.roofline, data.kernels),
    timeline: () => Report.startTimeline(data.timeline, data.kernels),
    code: () => Report.startCode(data.code),
    occupancy: () => Report.startOccupancy(data.occupancy, data.kernels),
  };
  for (const [name, start] of Object.entries(parts)) {
    try {
      start();
    } catch (problem) {
      console.error(`${name} could not be drawn`, problem);
    }
  }
})();
