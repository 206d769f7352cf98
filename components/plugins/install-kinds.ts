import type { History } from './types'

/** What an entry of the history is. */
export const ENTRIES: Record<History['kind'], string> = {
  install: 'Install',
  uninstall: 'Uninstall',
  restore: 'Restore',
  rollback: 'Rollback',
}

/** What happened to a plugin, in words. */
export const KINDS: Record<History['kind'], string> = {
  install: 'Installed',
  uninstall: 'Uninstalled',
  restore: 'Restored',
  rollback: 'Rolled back',
}
