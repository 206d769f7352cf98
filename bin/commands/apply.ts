import { join, resolve } from 'node:path'
import { Client } from '../client'
import { Failure, type Outcome } from '../failure'
import { installed, type Plan, planLines, planOf } from '../install'
import type { Io } from '../io'
import { counted } from '../report'
import { type Difference, differenceLines, differences } from '../snapshot/compare'
import { readFolder } from '../snapshot/folder'
import { SETTINGS_FILES, type SettingsFile, writeSettings } from '../snapshot/settings-files'
import { type Files, pluginFolder, type Scope, scopeOf, takeSnapshot } from '../snapshot/snapshot'

type Options = { check?: boolean; plan?: boolean }
type Apply = { client: Client; io: Io; folder: string; wanted: Files; scope: Scope }

/**
 * Brings a server into the state of a snapshot: each plugin in one transaction, as its plan says, then what was made
 * beside them. It can be repeated after it was stopped. With `check` it only compares; with `plan` it shows what it would do.
 */
export async function apply(io: Io, path: string, { check, plan }: Options): Promise<Outcome> {
  const folder = resolve(io.cwd, path)
  const client = new Client(io)
  const wanted = await readFolder(folder)
  const scope = scopeOf(wanted, folder)
  const compare = async () => differences(wanted, await takeSnapshot(client, scope))
  const before = await compare()
  if (check || before.length === 0) return outcome([], before)
  const applying = { client, io, folder, wanted, scope }
  if (plan) return shown(applying, before)
  const done = await applyPlugins(applying, before)
  for (const file of changedSettings(before))
    done.push(...(await writeSettings(client, file, itemsOf(wanted, file))))
  return outcome(done, await compare())
}

function outcome(done: string[], found: readonly Difference[]): Outcome {
  const state =
    found.length === 0
      ? ['The server is as the snapshot']
      : ['The server differs from the snapshot:', ...differenceLines(found)]
  return {
    lines: [...done, ...state],
    json: { done, differences: found },
    failed: found.length > 0,
  }
}

async function shown(applying: Apply, found: readonly Difference[]): Promise<Outcome> {
  const plans: Plan[] = []
  for (const id of changedPlugins(applying, found)) plans.push(await planned(applying, id))
  const lines = plans.flatMap((plan) => planLines(applying.io, plan))
  return { lines: [...lines, ...differenceLines(found)], json: { plans, differences: found } }
}

/** Those that the snapshot has: what the server alone has stays. */
function changedPlugins({ wanted }: Apply, found: readonly Difference[]): string[] {
  const ids = found.flatMap(({ path }) => /^plugins\/([^/]+)\//.exec(path)?.[1] ?? [])
  const isWanted = (id: string) => wanted.has(`${pluginFolder(id)}/engineplugin.json`)
  return [...new Set(ids)].filter(isWanted)
}

const changedSettings = (found: readonly Difference[]) =>
  SETTINGS_FILES.filter(({ name }) => found.some(({ path }) => path === name))

function itemsOf(files: Files, { name }: SettingsFile): Record<string, unknown>[] {
  const text = Buffer.from(files.get(name) ?? '[]').toString()
  try {
    return JSON.parse(text)
  } catch {
    throw new Failure(`${name} of the snapshot is not valid JSON`)
  }
}

/** Those that fail are tried again after others, whose entities they may need. */
async function applyPlugins(applying: Apply, found: readonly Difference[]): Promise<string[]> {
  const done: string[] = []
  let waiting = changedPlugins(applying, found)
  while (waiting.length > 0) {
    const refused: Plan[] = []
    const left: string[] = []
    for (const id of waiting) {
      const plan = await planned(applying, id)
      if (plan.failedCount === 0) done.push(...(await applyPlugin(applying, id, plan)))
      else {
        refused.push(plan)
        left.push(id)
      }
    }
    if (left.length === waiting.length) throw refusal(applying, done, refused)
    waiting = left
  }
  return done
}

function refusal({ io }: Apply, done: string[], plans: Plan[]): Failure {
  const lines = plans.flatMap((plan) => planLines(io, plan))
  return new Failure([...done, ...lines, 'These plugins can not be installed'].join('\n'))
}

/** The snapshot wins. Records that it does not have are deleted only if the plugin brought them, and it has all. */
const rulesOf = ({ records, entities }: Scope) => ({
  ...{ mode: 'atomic', onConflict: 'take', deleted: 'restore' },
  removed: records === 'all' && entities === null ? 'delete' : 'keep',
})

const planned = ({ client, io, folder, scope }: Apply, id: string) =>
  planOf(client, io, join(folder, pluginFolder(id)), rulesOf(scope))

async function applyPlugin(
  applying: Apply,
  id: string,
  { seal, version }: Plan,
): Promise<string[]> {
  const { client, io, folder, scope } = applying
  const path = join(folder, pluginFolder(id))
  const { history } = await installed(client, io, path, { ...rulesOf(scope), seal })
  const reverted = await revertEdits(applying, id)
  return [
    `installed  ${id} ${version ?? ''}; install ${history} in the history`,
    ...(reverted > 0 ? [`reverted   ${counted(reverted, 'record')} that were edited here`] : []),
  ]
}

type Drift = { entity: string; key: string }
const MOST_KEYS = 1_000

/** Records that only the server has changed keep that in an install: here the snapshot wins. */
async function revertEdits({ client, scope }: Apply, id: string): Promise<number> {
  if (scope.records === 'none') return 0
  const path = `/api/plugins/${encodeURIComponent(id)}/drift`
  const edited = await client.all<Drift>(path, { change: 'edited' })
  const entities = new Set(edited.map(({ entity }) => entity))
  let count = 0
  for (const entity of entities) {
    if (scope.entities !== null && !scope.entities.includes(entity)) continue
    const keys = edited.filter((one) => one.entity === entity).map(({ key }) => key)
    for (let at = 0; at < keys.length; at += MOST_KEYS) {
      const body = JSON.stringify({
        entity,
        keys: keys.slice(at, at + MOST_KEYS),
        action: 'revert',
      })
      const { data } = await client.json(`${path}/resolve`, { method: 'POST', body })
      count += (data as { resolved: number }[])[0]?.resolved ?? 0
    }
  }
  return count
}
