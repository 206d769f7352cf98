/** Forms in which records are shown. */
export const DISPLAYS = ['table', 'cards', 'calendar', 'map'] as const
export type Display = (typeof DISPLAYS)[number]
