import type { Effect } from './contract'

/** What a deletion did beyond the records that were asked for, for responses and the audit log; nothing when it did nothing. */
export const notedEffects = ({ effects }: { effects: Effect[] }): { effects?: Effect[] } =>
  effects.length > 0 ? { effects } : {}
