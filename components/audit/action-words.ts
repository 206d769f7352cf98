/** Actions in words; the audit log itself keeps the codes. */
const WORDS: Record<string, string> = {
  'api-keys.create': 'Created the API key',
  'api-keys.revoke': 'Revoked the API key',
  'api-keys.rotate': 'Rotated the API key',
  'exports.cancel': 'Cancelled an export of',
  'exports.create': 'Prepared an export of',
  'exports.delete': 'Deleted an export of',
  'exports.download': 'Downloaded an export of',
  'images.delete': 'Deleted the image',
  'images.replace': 'Replaced the image',
  'images.update': 'Changed the image',
  'images.upload': 'Uploaded the image',
  'mails.retry': 'Sent again the mail',
  'plugins.cancel': 'Cancelled the install of',
  'plugins.install': 'Installed',
  'records.create': 'Created in',
  'records.delete': 'Deleted from',
  'records.restore': 'Restored in',
  'records.update': 'Changed in',
  'trash.empty': 'Emptied the trash of',
  'users.activate': 'Activated',
  'users.change-password': 'Changed the password of',
  'users.create': 'Created the user',
  'users.delete': 'Deleted the user',
  'users.end-sessions': 'Ended the sessions of',
  'users.forget-password': 'Requested a password reset for',
  'users.reset-password': 'Reset the password of',
  'users.send-activation': 'Wrote an activation mail to',
  'users.sign-in': 'Signed in as',
  'users.sign-out': 'Signed out as',
  'users.update': 'Changed the user',
}

/** Reads on into the name of the object: `Created the user` …; an unknown action keeps its code. */
export const wordsOf = (action: string): string => WORDS[action] ?? action

/** Of an entry that wrote a mail, whether that was to be sent; null for other entries. */
export function mailWords(details: Record<string, unknown> | null): string | null {
  if (details?.mail === 'kept') return 'Kept in the outbox: no mail provider was set'
  return details?.mail === 'queued' ? 'Given to the outbox to be sent' : null
}
