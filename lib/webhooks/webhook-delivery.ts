import type { Layer } from '@/lib/around'
import { reasonOf } from '@/lib/db/errors'
import type { Deps } from '@/lib/deps'
import { daysOf } from '@/lib/retention/kept'
import { stopping } from '@/lib/stopping'
import { definitionTransaction } from '@/lib/tables/definition-transaction'
import { defineWebhook } from './define-webhook'
import { followingRenames } from './follow-renames'
import { runWebhooks } from './run-webhooks'
import { MAX_KEPT, sweepDeliveries } from './sweep-deliveries'

/** How long a process that stops waits for what it has sent. */
const LAST_MS = 5_000

const runs = new WeakMap<Deps['db'], Promise<void>>()

/** Starts delivery in this process unless it runs. It ends where it can't listen; the next round starts it again. */
async function startWebhooks(deps: Deps): Promise<void> {
  if (runs.has(deps.db)) return
  const run = runWebhooks(deps, stopping())
    .catch((error) => deps.log.warn({ error: reasonOf(error) }, 'webhooks were not started'))
    .finally(() => runs.delete(deps.db))
  runs.set(deps.db, run)
}

async function endWebhooks({ db }: Deps): Promise<void> {
  const late = new Promise<void>((resolve) => setTimeout(resolve, LAST_MS).unref())
  await Promise.race([runs.get(db), late])
}

/**
 * Changes of records are sent to the addresses that webhooks name, and plugins may declare such webhooks. Without it changes wait, as long as
 * they are kept, and files of plugins that declare webhooks are refused.
 */
export const webhookDelivery: Layer = {
  name: 'webhooks',
  around: {
    async installDefinition(context, { tx, definition }, next) {
      if (definition.kind === 'entity' && !context.dryRun)
        return followingRenames(tx, definition.item, () => next(context))
      if (definition.kind !== 'webhook') return next(context)
      return definitionTransaction(tx, (inner) => defineWebhook(inner, definition.item, context))
    },
  },
  adds: {
    jobs: [
      { name: 'send webhooks', intervalMs: 15_000, run: startWebhooks },
      { name: 'sweep deliveries of webhooks', intervalMs: 600_000, run: sweepDeliveries },
    ],
    beforeClose: [endWebhooks],
    retention: [
      {
        name: 'deliveries',
        title: 'Deliveries of webhooks',
        tables: ['webhook_deliveries'],
        at: 'created_at',
        settings: ['EVENTS_DAYS'],
        rule: ({ EVENTS_DAYS }) =>
          `${daysOf(EVENTS_DAYS)}, the last ${MAX_KEPT.toLocaleString('en')} of each webhook`,
      },
    ],
  },
}
