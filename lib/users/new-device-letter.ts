import type { Deps } from '@/lib/deps'
import 'server-only'
import { appUrl } from '@/lib/auth/app-url'
import { deviceName } from '@/lib/auth/device-name'
import { countAttempt, NEW_DEVICE_MAIL } from '@/lib/auth/rate-limit'
import type { Db } from '@/lib/db/types'
import { AppError } from '@/lib/errors'
import { putInOutbox } from '@/lib/mail/outbox'
import { renderMail } from '@/lib/mail/render-mail'
import type { Visitor } from './visitor'

/** The mail about a sign-in from a new device; null after five of them in an hour. */
export async function newDeviceLetter(
  { db, settings, secret }: Pick<Deps, 'db' | 'settings' | 'secret'>,
  { id: userId, email }: { id: string; email: string },
  { userAgent, address }: Visitor,
): Promise<{ write: (tx: Db) => Promise<void> } | null> {
  if (!(await isBelowLimit(db, userId))) return null
  const props = {
    email,
    device: deviceName(userAgent),
    address: address ?? 'an unknown address',
    time: `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    link: `${appUrl(settings)}/profile`,
  }
  const rendered = renderMail({ template: 'new-device', props })
  const mail = { from: settings.MAIL_FROM, to: email, ...rendered }
  return { write: (tx) => putInOutbox(tx, secret, { template: 'new-device', userId, mail }) }
}

const isBelowLimit = (db: Db, userId: string): Promise<boolean> =>
  countAttempt(db, NEW_DEVICE_MAIL, userId).then(
    () => true,
    (error) => {
      if (error instanceof AppError && error.code === 'rate_limited') return false
      throw error
    },
  )
