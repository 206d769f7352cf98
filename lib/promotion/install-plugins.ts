import { createHash } from 'node:crypto'
import { AppError } from '@/lib/errors'
import type { InstallPreview } from '@/lib/installs/plan-contract'
import { isObject } from '@/lib/values/json'
import type { Difference } from './differences'
import { type Call, type EngineClient, notEngine } from './engine-client'
import { isLeftOut, packFiles } from './pack-files'
import { SETTINGS_FILES, type SettingsFile } from './settings-kinds'
import { type Files, pluginFolder } from './take-snapshot'

/** A server that gets what these files have, by these rules. */
export type Target = { client: EngineClient; files: Files; rules: Call['query'] }

/** Those that differ, of those that the snapshot has: what the server alone has stays. */
export function changedPlugins(wanted: Files, found: readonly Difference[]): string[] {
  const ids = found.flatMap(({ path }) => /^plugins\/([^/]+)\//.exec(path)?.[1] ?? [])
  const isWanted = (id: string) => wanted.has(`${pluginFolder(id)}/engineplugin.json`)
  return [...new Set(ids)].filter(isWanted)
}

export const changedSettings = (found: readonly Difference[]): SettingsFile[] =>
  SETTINGS_FILES.filter(({ name }) => found.some(({ path }) => path === name))

/** Throws `invalid_input` for a file that somebody has edited so that it can't be read. */
export function itemsOf(files: Files, { name }: SettingsFile): Record<string, unknown>[] {
  const items = parsed(Buffer.from(files.get(name) ?? '[]').toString())
  if (Array.isArray(items) && items.every(isObject)) return items
  throw new AppError('invalid_input', `${name} of the snapshot is no list in valid JSON`)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export async function planPlugin(target: Target, id: string): Promise<InstallPreview> {
  const { data } = await send(target, id, { dryRun: 'true' })
  const plan = (data as { plan?: InstallPreview } | undefined)?.plan
  if (!Array.isArray(plan?.files)) throw notEngine('its response is no plan')
  return plan
}

/** Returns the number of the install in the history. */
export async function installPlugin(target: Target, id: string, seal: string): Promise<number> {
  const { data } = await send(target, id, { seal })
  const history = (data as { history?: unknown } | undefined)?.history
  if (typeof history !== 'number') throw notEngine('its response is no install')
  return history
}

async function send(target: Target, id: string, query: Call['query']) {
  const body = new FormData()
  body.set('file', new File([await archiveOf(target, id)], `${id}.zip`))
  return target.client.json('/api/plugins/install/zip', {
    method: 'POST',
    query: { ...target.rules, ...query },
    body,
  })
}

function archiveOf({ files }: Target, id: string) {
  const folder = `${pluginFolder(id)}/`
  const own = [...files]
    .filter(([path]) => path.startsWith(folder))
    .map(([path, bytes]) => [path.slice(folder.length), bytes] as const)
    .filter(([path]) => !isLeftOut(path))
  return packFiles(own) as Promise<Uint8Array<ArrayBuffer>>
}

/** By which the history knows the archive of a plugin: the same files make the same bytes. */
export const sha256Of = async (target: Target, id: string): Promise<string> =>
  createHash('sha256')
    .update(await archiveOf(target, id))
    .digest('hex')

/**
 * Carries `work` out for each plugin whose plan would succeed. Those that fail are planned again after others, whose
 * entities they may need. Throws `PlansRefusedError` when none of the rest can be installed.
 */
export async function eachPlugin(
  target: Target,
  ids: readonly string[],
  work: (id: string, plan: InstallPreview) => Promise<void>,
): Promise<void> {
  let waiting = ids
  while (waiting.length > 0) {
    const refused: InstallPreview[] = []
    const left: string[] = []
    for (const id of waiting) {
      const plan = await planPlugin(target, id)
      if (plan.failedCount === 0) await work(id, plan)
      else {
        refused.push(plan)
        left.push(id)
      }
    }
    if (left.length === waiting.length) throw new PlansRefusedError(refused)
    waiting = left
  }
}

/** These plugins can not be installed, as their plans say. */
export class PlansRefusedError extends Error {
  override readonly name = 'PlansRefusedError'

  constructor(
    readonly plans: readonly InstallPreview[],
    readonly advice = '',
  ) {
    super('These plugins can not be installed')
  }
}
