import type { InstallPreview } from '@/lib/installs/plan-contract'
import {
  describe,
  type EnvironmentDifference,
  environmentDifferences,
  requireOwnAddresses,
  requireSameFormat,
} from './describe'
import type { EngineClient } from './engine-client'
import { itemsOf, planPlugin, type Target } from './install-plugins'
import { type Conditions, matchingKeys } from './matching-records'
import { withOwnParts } from './own-parts'
import { digestOf, digestsOf, type PluginState } from './plugin-state'
import { inOrderOfReferences } from './reference-order'
import { requireKnown } from './require-known'
import { planSettings, type SettingChange, settingsBeside } from './settings-files'
import { SETTINGS_FILES, type SettingsFile } from './settings-kinds'
import { exportedPlugin, type Files, pluginsOf, type Scope, settingsOf } from './take-snapshot'

/** `maxBytes`: of all that is kept in memory. */
export type Asked = Scope & {
  onConflict: 'keep' | 'take' | 'fail'
  /** Records of other entities come without conditions. */
  where?: Conditions
  maxBytes?: number
}

/** What a promotion would do, and with what. */
export type Planned = {
  target: Target
  /** Of the plugins that would change. */
  plans: InstallPreview[]
  /** What would happen to settings. */
  settings: SettingChange[]
  files: SettingsFile[]
  /** Names of what the target alone has, which stays. */
  alone: string[]
  /** What is configured otherwise at the target, by its environment. */
  environment: EnvironmentDifference[]
  /** Digests of what the source has, by the ids of plugins and the names of files. */
  sources: Record<string, string>
  /** What the target has of the plugins that would change. */
  states: Record<string, PluginState>
  scope: Scope
  /** The same as long as both servers stay as they are. */
  seal: string
}

/** Compares two servers, and plans what the first has and the second does not. */
export async function planPromotion(
  from: EngineClient,
  to: EngineClient,
  { onConflict, ...scope }: Asked,
): Promise<Planned> {
  const [source, about] = [await describe(from), await describe(to)]
  requireSameFormat(source, about)
  requireOwnAddresses(source, about)
  const isWhole = scope.records === 'all' && scope.entities === null && isEmpty(scope.where)
  const rules = {
    ...{ mode: 'atomic', onConflict, deleted: 'keep' },
    removed: isWhole ? 'delete' : 'keep',
    from: about?.renumbers ? source?.address : undefined,
  }
  const wanted = new Map<string, Uint8Array>()
  const target = { client: to, files: wanted, rules }
  const plugins = await planPlugins(from, target, wanted, scope)
  const settings = await compareSettings(from, to, wanted)
  await requireKnown({ client: from, about: source }, { client: to, about }, wanted, settings.files)
  const sealed = [
    ...plugins.plans.map(({ seal }) => seal),
    ...settings.changes.map(({ change, name, was }) => `${change}  ${name} ${was}`),
    ...settings.files.map((file) => JSON.stringify(itemsOf(wanted, file))),
  ]
  return {
    target,
    plans: plugins.plans,
    settings: settings.changes,
    files: settings.files,
    alone: [...plugins.alone, ...settings.alone],
    environment: environmentDifferences(source, about),
    sources: { ...plugins.sources, ...settings.sources },
    states: plugins.states,
    scope: { records: scope.records, entities: scope.entities },
    seal: digestOf(sealed.map((text) => Buffer.from(`${text}\n`))),
  }
}

const isEmpty = (where: Conditions = {}) => Object.keys(where).length === 0

type Budget = Omit<Asked, 'onConflict'>

/** One plugin after the other; the files of those that differ are added to `wanted`. */
async function planPlugins(
  from: EngineClient,
  target: Target,
  wanted: Map<string, Uint8Array>,
  { maxBytes = Infinity, where = {}, ...scope }: Budget,
) {
  const matching = await matchingKeys(from, where)
  const sourced = await inOrderOfReferences(from, await pluginsOf(from))
  const installed = await pluginsOf(target.client)
  const known = new Set(installed.map(({ id }) => id))
  const plans: InstallPreview[] = []
  const sources: Record<string, string> = {}
  const states: Record<string, PluginState> = {}
  let left = maxBytes
  const creating = new Set<string>()
  for (const { id, needs } of sourced) {
    const files = await exportedPlugin(from, id, { ...scope, matching, maxBytes: left })
    const present = known.has(id)
      ? await exportedPlugin(target.client, id, { ...scope, maxBytes })
      : null
    // What it refers to may get other numbers, which is known once that is installed.
    const follows = needs.some((one) => creating.has(one))
    if (present && isSame(files, present) && !follows) continue
    for (const [path, bytes] of files) wanted.set(path, bytes)
    const plan = await planPlugin(target, id)
    if (isIdle(plan) && !follows) {
      for (const path of files.keys()) wanted.delete(path)
      continue
    }
    for (const bytes of files.values()) left -= bytes.length
    if (plan.files.some(({ records }) => records.created > 0) || isIdle(plan)) creating.add(id)
    plans.push(plan)
    sources[id] = digestOf([...files].flat())
    states[id] = digestsOf(present)
  }
  const kept = installed.filter(({ id }) => !sourced.some((one) => one.id === id))
  return { plans, sources, states, alone: kept.map(({ id }) => `plugin ${id}`) }
}

const IDLE = new Set(['unchanged', 'ignored'])

/** Whether an install would change nothing. */
export const isIdle = ({ files }: InstallPreview) => files.every(({ status }) => IDLE.has(status))

const isSame = (one: Files, other: Files): boolean =>
  one.size === other.size &&
  [...one].every(([path, bytes]) => {
    const same = other.get(path)
    return same !== undefined && Buffer.from(bytes).equals(same)
  })

async function compareSettings(
  from: EngineClient,
  to: EngineClient,
  wanted: Map<string, Uint8Array>,
) {
  const [source, present] = [await settingsOf(from), await settingsOf(to)]
  const adopted = withOwnParts(source, present)
  const changes: SettingChange[] = []
  const files: SettingsFile[] = []
  const alone: string[] = []
  const sources: Record<string, string> = {}
  for (const file of SETTINGS_FILES) {
    const [bytes = Buffer.from('[]'), other] = [adopted.get(file.name), present.get(file.name)]
    if (other && Buffer.from(bytes).equals(other)) continue
    wanted.set(file.name, bytes)
    const items = itemsOf(wanted, file)
    changes.push(...(await planSettings(to, file, items)))
    alone.push(...(await settingsBeside(to, file, items)))
    files.push(file)
    sources[file.name] = digestOf([source.get(file.name) ?? ''])
  }
  return { changes, files, alone, sources }
}

export const isNothing = ({ plans, settings }: Planned) => plans.length + settings.length === 0
