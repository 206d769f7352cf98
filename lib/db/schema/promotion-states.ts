/**
 * `PLANNING` → `PLANNED`, or `FAILED` without a plan; then `WAITING` → `RUNNING` → `DONE`, or `STOPPED` before its end;
 * what is done or stopped can be undone: `UNDOING` → `UNDONE`.
 */
export const PROMOTION_STATUSES = [
  'PLANNING',
  'PLANNED',
  'FAILED',
  'WAITING',
  'RUNNING',
  'DONE',
  'STOPPED',
  'UNDOING',
  'UNDONE',
] as const
