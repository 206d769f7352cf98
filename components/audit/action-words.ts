import { countOf } from '@/components/ui/number'
import type { AuditRow } from './audit-search'

/** Actions in words; the audit log itself keeps the codes. */
const WORDS: Record<string, string> = {
  'api-keys.create': 'Created the API key',
  'api-keys.revoke': 'Revoked the API key',
  'api-keys.rotate': 'Rotated the API key',
  'comments.create': 'Wrote the comment',
  'comments.delete': 'Deleted the comment',
  'comments.update': 'Changed the comment',
  'entities.distribute': 'Moved the records of',
  'exports.cancel': 'Cancelled an export of',
  'exports.create': 'Prepared an export of',
  'exports.delete': 'Deleted an export of',
  'exports.download': 'Downloaded an export of',
  'images.delete': 'Deleted the image',
  'backup.download': 'Downloaded a backup',
  'backup.restore': 'Restored a backup',
  'backup.verify': 'Verified the backup',
  'backup.write': 'Wrote the backup',
  'images.replace': 'Replaced the image',
  'images.update': 'Changed the image',
  'images.upload': 'Uploaded the image',
  'imports.cancel': 'Cancelled an import into',
  'imports.create': 'Started an import into',
  'imports.delete': 'Deleted an import into',
  'imports.download': 'Downloaded refused rows of',
  'indexes.create': 'Added an index to',
  'indexes.delete': 'Removed an index of',
  'mails.bounced': 'The provider could not deliver the mail',
  'mails.delivered': 'The provider delivered the mail',
  'mails.retry': 'Resent the mail',
  'mails.test': 'Tried a test mail to',
  'plugins.cancel': 'Cancelled the install of',
  'plugins.install': 'Installed',
  'plugins.rollback': 'Rolled back',
  'plugins.uninstall': 'Uninstalled',
  'publishers.create': 'Trusted the publisher',
  'publishers.delete': 'Removed the publisher',
  'promotions.start': 'Started a promotion with',
  'promotions.undo': 'Undid a promotion with',
  'records.create': 'Created in',
  'records.delete': 'Deleted from',
  'records.erase': 'Erased from',
  'records.import': 'Imported into',
  'records.restore': 'Restored in',
  'records.update': 'Changed in',
  'records.view-as': 'Looked as somebody else at',
  'scim-groups.create': 'Created the group',
  'scim-groups.delete': 'Deleted the group',
  'scim-groups.update': 'Changed the group',
  'scim-token.create': 'Turned SCIM on',
  'scim-token.revoke': 'Turned SCIM off',
  'scim-token.rotate': 'Rotated the SCIM token',
  'security.require-second-factor': 'Changed which roles require a second factor',
  'servers.create': 'Added the server',
  'servers.delete': 'Removed the server',
  'servers.update': 'Changed the server',
  'trash.empty': 'Deleted all changes for good of',
  'users.activate': 'Activated',
  'users.add-passkey': 'Added a passkey of',
  'users.add-totp': 'Added the authenticator app of',
  'users.change-password': 'Changed the password of',
  'users.change-password-failed': 'Failed to change the password of',
  'users.confirm-failed': 'Failed to confirm the identity of',
  'users.create': 'Created the user',
  'users.delete': 'Deleted the user',
  'users.end-own-sessions': 'Ended sessions of',
  'users.end-sessions': 'Ended the sessions of',
  'users.erase': 'Erased the person now called',
  'users.export': 'Exported all about',
  'users.forget-password': 'Requested a password reset for',
  'users.link-identity': 'Linked a provider with',
  'users.remove-passkey': 'Removed a passkey of',
  'users.remove-totp': 'Removed the authenticator app of',
  'users.rename-passkey': 'Renamed a passkey of',
  'users.renew-recovery-codes': 'Made new recovery codes for',
  'users.register': 'Requested an account for',
  'users.reset-password': 'Reset the password of',
  'users.reset-second-factors': 'Reset the second factors of',
  'users.send-activation': 'Created an activation mail for',
  'users.sign-in': 'Signed in as',
  'users.sign-in-failed': 'Failed to sign in as',
  'users.sign-out': 'Signed out as',
  'users.unlink-identity': 'Unlinked a provider from',
  'users.update': 'Changed the user',
  'views.create': 'Saved the view',
  'views.delete': 'Deleted the view',
  'views.update': 'Changed the view',
  'webhooks.create': 'Created the webhook',
  'webhooks.delete': 'Deleted the webhook',
  'webhooks.redeliver': 'Sent changes again to the webhook',
  'webhooks.rotate-secret': 'Rotated the secret of the webhook',
  'webhooks.stop': 'Stopped the webhook',
  'webhooks.test': 'Sent a test to the webhook',
  'webhooks.update': 'Changed the webhook',
}

export const ACTION_CODES: readonly string[] = Object.keys(WORDS)

type Entry = Pick<AuditRow, 'action' | 'details'>

/** Reads on into the name of the object: `Created the user` … */
export const wordsOf = (entry: Entry): string =>
  UNDONE[kindOf(entry)]?.before ?? WORDS[entry.action] ?? spelled(entry.action)

/** Stands by itself: `User created`. */
export function eventWords(entry: Entry): string {
  const { action } = entry
  const own = UNDONE[kindOf(entry)]?.event ?? EVENTS[action]
  if (own) return own
  const words = WORDS[action]
  if (!words) return spelled(action)
  if (action.startsWith('records.')) return `Records ${words.split(' ')[0]?.toLowerCase()}`
  const [, verb = '', object = ''] =
    /^(\S+) (?:the|an?) (.+?)(?: (?:of|for|to))?$/.exec(words) ?? []
  return object === '' ? words : `${capitalised(object)} ${verb.toLowerCase()}`
}

/** What was restored where it was no deletion. */
const kindOf = ({ action, details }: Entry): string =>
  action === 'records.restore' ? String(details?.kind ?? '') : ''

const UNDONE: Record<string, { before: string; event: string }> = {
  edit: { before: 'Undid a change in', event: 'Change undone' },
  import: { before: 'Undid an import into', event: 'Import undone' },
}

const EVENTS: Record<string, string> = {
  'entities.distribute': 'Records moved to other nodes',
  'backup.download': 'Backup downloaded',
  'backup.restore': 'Backup restored',
  'imports.cancel': 'Import cancelled',
  'imports.create': 'Import started',
  'imports.delete': 'Import deleted',
  'mails.bounced': 'Mail bounced',
  'mails.delivered': 'Mail delivered',
  'mails.retry': 'Mail resent',
  'plugins.install': 'Plugin installed',
  'plugins.rollback': 'Plugin rolled back',
  'plugins.uninstall': 'Plugin uninstalled',
  'promotions.start': 'Promotion started',
  'promotions.undo': 'Promotion undone',
  'records.view-as': 'Records viewed as somebody else',
  'security.require-second-factor': 'Roles that require a second factor changed',
  'users.activate': 'User activated',
  'users.change-password-failed': 'Password change failed',
  'users.confirm-failed': 'Confirmation of identity failed',
  'users.end-own-sessions': 'Sessions ended',
  'users.erase': 'Person erased',
  'users.export': 'Person exported',
  'users.renew-recovery-codes': 'Recovery codes renewed',
  'users.reset-second-factors': 'Second factors reset',
  'users.send-activation': 'Activation mail created',
  'users.sign-in': 'Signed in',
  'users.sign-in-failed': 'Sign-in failed',
  'users.sign-out': 'Signed out',
  'webhooks.redeliver': 'Changes sent to a webhook again',
  'webhooks.rotate-secret': 'Secret of a webhook rotated',
  'webhooks.test': 'Test sent to a webhook',
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** An action of another version: `images.upload` → `Images: upload`. */
const spelled = (action: string) => capitalised(action.replace('.', ': ').replaceAll('-', ' '))

/** `25,000 records`: how many records an action changed; empty where it is about one object, or is not known. */
export function countIn({ action, details }: Entry): string {
  if (!details || !/^(records|trash)\./.test(action)) return ''
  const { count, restored, removed = 0, created, updated } = details
  const sum = [created, updated].map(Number).filter(Number.isFinite)
  const undone = restored === undefined ? undefined : Number(restored) + Number(removed)
  const found = count ?? undone ?? (sum.length > 0 ? sum.reduce((a, b) => a + b) : undefined)
  return typeof found === 'number' ? countOf(found, 'record') : ''
}

/** Of an entry that wrote a mail, whether that was to be sent; null for other entries. */
export function mailWords(details: Record<string, unknown> | null): string | null {
  if (details?.mail === 'kept') return 'Kept in the outbox: no mail provider was set'
  return details?.mail === 'queued' ? 'Given to the outbox to be sent' : null
}

/** The batch of the trash that holds what was deleted or replaced. */
export function trashedIn({
  action,
  details,
}: Pick<AuditRow, 'action' | 'details'>): string | null {
  const isKept = action === 'records.delete' || action === 'records.update'
  const batchId = isKept ? details?.batchId : undefined
  return typeof batchId === 'string' ? batchId : null
}
