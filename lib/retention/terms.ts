/** How many days the lists of imports and exports keep an entry after its end, and files of exports. */
export const JOB_DAYS = 7
