import { bytes, number } from './setting-types'

const days = (most: number) => number().int().min(1).max(most)

/** How long, and how much of it, is kept what was used. */
export const retentionSettings = {
  /** How many days an uninstalled plugin can be restored, with its tables. */
  TRASH_DAYS: days(3_650).default(30),
  /** How long the audit log and mails are kept; without them, indefinitely. */
  AUDIT_DAYS: days(36_500).optional(),
  MAIL_DAYS: days(36_500).optional(),
  /** How much of the history of records is kept: the last versions of each, for so many days. */
  HISTORY_VERSIONS: number().int().min(1).max(10_000).default(50),
  HISTORY_DAYS: days(36_500).default(365),
  /** How long changes can be followed, and how many bytes of them are kept at most. */
  EVENTS_DAYS: days(365).default(7),
  EVENTS_MAX_BYTES: bytes(2 ** 31),
  /** Installs that can be rolled back: the last ones of each plugin, for so many days. */
  PLUGIN_UNDO_INSTALLS: number().int().min(1).max(1_000).default(10),
  PLUGIN_UNDO_DAYS: days(3_650).default(90),
}
