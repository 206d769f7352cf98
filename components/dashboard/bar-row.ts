/** Pixels of a row of the chart of entities, and so of the band of its bar. */
export const ROW = 28
