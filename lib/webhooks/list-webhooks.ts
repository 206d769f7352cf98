import { webhooks } from '@/lib/db/schema'
import type { Db } from '@/lib/db/sql'
import { AppError } from '@/lib/errors'
import type { Webhook } from './contract'
import { selectWebhooks } from './store'

/** A page of the webhooks, by name. */
export const listWebhooks = async (
  db: Db,
  page: { page: number; size: number },
): Promise<{ webhooks: Webhook[]; total: number }> => ({
  webhooks: await selectWebhooks(db, page),
  total: await db.$count(webhooks),
})

/** Throws `not_found`. */
export async function readWebhook(db: Db, id: string): Promise<Webhook> {
  const [found] = await selectWebhooks(db, { id })
  if (found) return found
  throw new AppError('not_found', 'There is no webhook with this id')
}
