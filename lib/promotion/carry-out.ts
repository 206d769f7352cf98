import { AppError, messageOf } from '@/lib/errors'
import { statusOf } from './describe'
import { changedSince, expectedOf, hasRenames } from './expected-target'
import { eachPlugin, installPlugin, itemsOf, PlansRefusedError, sha256Of } from './install-plugins'
import type { Journal } from './journal'
import { isIdle, type Planned } from './plan-promotion'
import { changedParts, pluginState } from './plugin-state'
import { changeText, planSettings, readSettings, writeSettings } from './settings-files'
import type { SettingsFile } from './settings-kinds'
import { undoPromotion } from './undo-promotion'

/** Throws `conflict` for a seal of another plan, and `PlansRefusedError` for conflicts that nothing decides. */
export function requirePlanned(
  { plans, seal, target }: Pick<Planned, 'plans' | 'seal' | 'target'>,
  asked: string | undefined,
): void {
  if (asked !== undefined && asked !== seal)
    throw new AppError(
      'conflict',
      'The plan no longer holds: one of the servers has changed. Plan again',
    )
  const inConflict = plans.filter(({ files }) =>
    files.some((file) => (file.conflictCount ?? 0) > 0),
  )
  if (target.rules?.onConflict === 'fail' && inConflict.length > 0)
    throw new PlansRefusedError(inConflict, 'Decide with --on-conflict keep or take')
}

type Tell = (line: string) => Promise<void> | void

/**
 * Carries a plan out, or what is left of one that was stopped, each plugin whole or not at all; tells `done` of each thing that
 * was done, in words. Where the target refuses a part, or is no longer as it was planned, it takes back what was done and throws
 * the reason; where the target is away, what was done stays, to be gone on with or undone.
 */
export async function carryOut(planned: Planned, journal: Journal, done: Tell): Promise<void> {
  try {
    await requireExpected(planned, journal)
    for (const file of planned.files) await requireSettings(planned, file)
    await installPlugins(planned, journal, done)
    for (const file of planned.files) await write(planned, file, journal, done)
  } catch (error) {
    if (isRefusal(error)) await rollBack(planned, journal, error)
    throw error
  }
}

const CHANGED = 'target changed'
const changedError = (message: string) =>
  new AppError('conflict', message, { meta: { reason: CHANGED } })

/** Not of a server that is away or busy: that may take the same later. */
function isRefusal(error: unknown): boolean {
  if (error instanceof PlansRefusedError) return true
  if (error instanceof AppError && error.options.meta?.reason === CHANGED) return true
  const status = Number(statusOf(error))
  return status >= 400 && status < 500 && !BUSY.includes(status)
}

const BUSY = [408, 429]

const targetChanged = (changed: readonly string[]) => {
  const left = changed.length - MOST_NAMED
  const names = [...changed.slice(0, MOST_NAMED), ...(left > 0 ? [`${left} more`] : [])]
  return changedError(
    `The plan no longer holds: the target has changed since: ${names.join(', ')}. Plan again`,
  )
}

const MOST_NAMED = 20

/** What it did itself before it was stopped is no change. */
async function requireExpected(planned: Planned, journal: Journal): Promise<void> {
  const { expected } = journal
  if (!expected) return journal.expect(expectedOf(planned))
  const changed = changedSince(expected, journal.installed, planned)
  if (changed.length > 0) throw targetChanged(changed)
}

/**
 * The first by the seal of its plan. What is installed changes what the plans of the next depend on, so these are
 * planned again; what they would change must be as it was.
 */
async function installPlugins(planned: Planned, journal: Journal, done: Tell): Promise<void> {
  const { target, plans } = planned
  const { client } = target
  let sealed = new Map(plans.map(({ pluginId, seal }) => [pluginId, seal]))
  await eachPlugin(target, [...sealed.keys()], async (id, plan) => {
    const first = sealed.get(id)
    if (first === undefined) await requireState(planned, id)
    if (isIdle(plan)) return
    await journal.begin(client, id, await sha256Of(target, id))
    const history = await installPlugin(target, id, first ?? plan.seal).catch(asChanged)
    await journal.end(history)
    sealed = new Map()
    await done(`installed  ${id} ${plan.version ?? ''}; install ${history} in the history`)
  })
}

async function requireState({ target, states, scope }: Planned, id: string): Promise<void> {
  const now = await pluginState(target.client, id, scope)
  const changed = changedParts(id, states[id] ?? null, now)
  if (changed.length > 0) throw targetChanged(changed)
}

/** The server says by name what has changed since its plan. */
function asChanged(error: unknown): never {
  throw statusOf(error) === 409 ? changedError(messageOf(error)) : error
}

async function write(planned: Planned, file: SettingsFile, journal: Journal, done: Tell) {
  const { client, files } = planned.target
  const written = itemsOf(files, file)
  // An install gives what names an entity or a field the name that it has from then on.
  if (!hasRenames(planned)) await requireSettings(planned, file)
  await journal.settings(file.name, { before: await readSettings(client, file), written })
  for (const line of await writeSettings(client, file, written)) await done(line)
}

/** What would be made and changed must be what was planned, of what was there. */
async function requireSettings({ target, settings }: Planned, file: SettingsFile): Promise<void> {
  const known = new Set(settings.map(changeText))
  const now = await planSettings(target.client, file, itemsOf(target.files, file))
  const changed = now.filter((one) => !known.has(changeText(one)))
  if (changed.length > 0) throw targetChanged(changed.map(({ name }) => name))
}

/** Nothing stays half done. What can't be taken back stays in the journal. */
async function rollBack({ target }: Planned, journal: Journal, error: unknown): Promise<void> {
  try {
    await journal.rolledBack((steps) => undoPromotion(target.client, steps))
  } catch (failure) {
    const reason = `What was done could not be taken back: ${messageOf(failure)}`
    throw new AppError('conflict', `${messageOf(error)}\n${reason}`)
  }
}
