import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { FileFailure } from '@/lib/archives/plugin-file'
import { type WebhookRow, webhooks } from '@/lib/db/schema'
import { type Db, lower, now } from '@/lib/db/sql'
import { DefinitionError, fault, toPointer, valueAt } from '@/lib/definitions/definition-faults'
import { columnsOfWebhook, type WebhookDefinition } from '@/lib/definitions/webhook'
import { AppError } from '@/lib/errors'
import { cursorOf } from '@/lib/events/position'
import { readLog } from '@/lib/events/read-log'
import { requireInstallerRights } from '@/lib/installs/installer-rights'
import type { InstallContext } from '@/lib/installs/points'
import { requireSameName } from '@/lib/registry/definition-owner'
import { loadEntities } from '@/lib/registry/registry'
import { type DefineOutcome, toStored } from '@/lib/tables/definition-transaction'
import type { Json } from '@/lib/values/json'
import { suggestion } from '@/lib/values/nearest'
import { actsFor } from './acts-for'
import { checkWebhook, type FindEntity } from './check-webhook'
import { MAX_WEBHOOKS } from './save-webhook'

type Installer = Pick<InstallContext, 'actor' | 'pluginId' | 'dryRun'>

/**
 * Installs or changes a webhook that a plugin declares, in the transaction of its file. A new one has no address, and sends nothing; one with an
 * address keeps it, with its secret and whether it sends, and from then on acts for the installer, as for anybody who changes what is sent.
 * Throws `DefinitionError` for what does not fit its entities and a name that is taken, and `FileFailure` without the rights.
 */
export async function defineWebhook(
  tx: Db,
  definition: WebhookDefinition,
  installer: Installer,
): Promise<DefineOutcome> {
  const { actor, pluginId, dryRun } = installer
  requireInstallerRights(installer, ['webhooks:manage'], 'which webhooks of an archive need')
  const existing = await existingOf(tx, definition, pluginId)
  const columns = columnsOfWebhook(definition)
  const entities = await namesOf(tx, definition, columns, installer)
  if (isDeepStrictEqual(existing?.definition, toStored(definition)))
    return { status: 'unchanged', steps: [], notes: waitingNotes(definition, existing) }
  const values = { ...columns, entities, pluginId, definition, ...actsFor(actor) }
  if (!existing) {
    await insert(tx, values)
    return { status: 'created', steps: [], notes: waitingNotes(definition, undefined) }
  }
  const positions = dryRun ? existing.positions : await positionsIn(tx, existing, entities)
  const set = { ...values, positions, updatedAt: now }
  await tx.update(webhooks).set(set).where(eq(webhooks.id, existing.id))
  const notes = existing.url === null ? waitingNotes(definition, existing) : [sendsNote(existing)]
  return { status: 'updated', steps: [], notes }
}

const waitingNotes = ({ name, entities }: WebhookDefinition, existing?: WebhookRow) =>
  existing?.url == null
    ? [
        `The webhook "${name}" of ${entities.join(', ')} waits for an address, and sends nothing until one is filled in`,
      ]
    : []

const sendsNote = ({ name }: WebhookRow) =>
  `The webhook "${name}" sends to its address what this version says, by the rights of whoever installs it`

async function existingOf(
  tx: Db,
  { name }: WebhookDefinition,
  pluginId: string,
): Promise<WebhookRow | undefined> {
  const [found] = await tx
    .select()
    .from(webhooks)
    .where(eq(lower(webhooks.name), lower(name)))
    .for('update')
  if (!found) return undefined
  if (found.pluginId !== pluginId) {
    const owner = found.pluginId === null ? 'was made here' : `of ${found.pluginId} is installed`
    refuse('/name', `A webhook of this name ${owner}; give one of the two another name`, name)
  }
  requireSameName('webhook', found.name, name)
  return found
}

/** The entities as they are installed. */
async function namesOf(
  tx: Db,
  definition: WebhookDefinition,
  columns: ReturnType<typeof columnsOfWebhook>,
  { actor }: Installer,
): Promise<string[]> {
  try {
    return await checkWebhook(await finderIn(tx), columns, actor)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'forbidden') throw new FileFailure('Forbidden', [{ message: error.message }])
    const { validations } = error.options
    if (!validations) throw error
    const faults = validations.map(({ field, error: message }) => {
      const path = field.split('.')
      return fault(toPointer(path), message, valueAt(definition as Json, path))
    })
    throw new DefinitionError('Invalid definition', faults)
  }
}

/** As this transaction sees them: they may come with the same archive. */
async function finderIn(tx: Db): Promise<FindEntity> {
  const entities = await loadEntities(tx)
  const names = entities.map(({ name }) => name)
  return async (name) => {
    const entity = entities.find((one) => one.name === name)
    if (entity) return { entity, entities }
    const message = `"${name}" is neither in the archive nor installed${suggestion(name, names)}`
    throw new AppError('not_found', message)
  }
}

async function insert(tx: Db, values: typeof webhooks.$inferInsert): Promise<void> {
  if ((await tx.$count(webhooks)) >= MAX_WEBHOOKS)
    refuse('', `There are ${MAX_WEBHOOKS} webhooks, the most that are kept`)
  const made = await tx.insert(webhooks).values(values).onConflictDoNothing().returning()
  if (made.length === 0) refuse('/name', 'A webhook of this name was just made', values.name)
}

/** Where it reads on: entities that are new to it from this moment on. */
async function positionsIn(
  tx: Db,
  { url, entities: former, positions }: WebhookRow,
  entities: readonly string[],
): Promise<Record<string, string>> {
  if (url === null) return {}
  const reading = { tables: [], since: null, limit: 1, records: true }
  const present = cursorOf((await readLog(tx, reading)).next)
  const placeOf = (name: string) => (former.includes(name) ? positions[name] : undefined) ?? present
  return Object.fromEntries(entities.map((name) => [name, placeOf(name)]))
}

function refuse(pointer: string, message: string, value?: Json): never {
  throw new DefinitionError('Invalid definition', [fault(pointer, message, value)])
}
