import { resolve } from 'node:path'
import type { InstallPreview } from '@/lib/installs/plan-contract'
import { type Difference, differences } from '@/lib/promotion/differences'
import {
  changedPlugins,
  changedSettings,
  eachPlugin,
  installPlugin,
  itemsOf,
  planPlugin,
  type Target,
} from '@/lib/promotion/install-plugins'
import { withOwnParts } from '@/lib/promotion/own-parts'
import { planSettings, writeSettings } from '@/lib/promotion/settings-files'
import { type Scope, takeSnapshot } from '@/lib/promotion/take-snapshot'
import { Client } from '../client'
import { Failure, type Outcome } from '../failure'
import { planLines } from '../install'
import type { Io } from '../io'
import { counted } from '../report'
import { readFolder, scopeOf } from '../snapshot/folder'
import { withPlans } from '../snapshot/refusal'

type Options = { check?: boolean; plan?: boolean }

/**
 * Brings a server into the state of a snapshot: each plugin in one transaction, as its plan says, then what was made
 * beside them. It can be repeated after it was stopped. With `check` it only compares; with `plan` it shows what it would do.
 */
export async function apply(io: Io, path: string, { check, plan }: Options): Promise<Outcome> {
  const folder = resolve(io.cwd, path)
  const client = new Client(io)
  const files = await readFolder(folder)
  const scope = scopeOf(files, folder)
  const present = await takeSnapshot(client, scope)
  const wanted = withOwnParts(files, present)
  const before = differences(wanted, present)
  if (check || before.length === 0) return outcome([], before)
  const target = { client, files: wanted, rules: rulesOf(scope) }
  const plugins = changedPlugins(wanted, before)
  if (plan) return shown(io, target, plugins, before)
  const settings = changedSettings(before).map((file) => ({ file, items: itemsOf(wanted, file) }))
  // What can't be written is refused before plugins are installed.
  for (const { file, items } of settings) await planSettings(client, file, items)
  const done = await applyPlugins(io, target, plugins, scope)
  for (const { file, items } of settings) done.push(...(await writeSettings(client, file, items)))
  return outcome(done, differences(wanted, await takeSnapshot(client, scope)))
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

async function shown(
  io: Io,
  target: Target,
  plugins: readonly string[],
  found: readonly Difference[],
): Promise<Outcome> {
  const plans: InstallPreview[] = []
  for (const id of plugins) plans.push(await planPlugin(target, id))
  const lines = plans.flatMap((plan) => planLines(io, plan))
  return { lines: [...lines, ...differenceLines(found)], json: { plans, differences: found } }
}

/** The snapshot wins. Records that it does not have are deleted only if the plugin brought them, and it has all. */
const rulesOf = ({ records, entities }: Scope) => ({
  ...{ mode: 'atomic', onConflict: 'take', deleted: 'restore' },
  removed: records === 'all' && entities === null ? 'delete' : 'keep',
})

async function applyPlugins(
  io: Io,
  target: Target,
  ids: string[],
  scope: Scope,
): Promise<string[]> {
  const done: string[] = []
  await eachPlugin(target, ids, async (id, { seal, version }) => {
    const history = await installPlugin(target, id, seal)
    done.push(`installed  ${id} ${version ?? ''}; install ${history} in the history`)
    const reverted = await revertEdits(target, id, scope)
    if (reverted > 0) done.push(`reverted   ${counted(reverted, 'record')} that were edited here`)
  }).catch((thrown: unknown) => {
    const error = withPlans(io, thrown)
    if (error instanceof Failure) error.message = [...done, error.message].join('\n')
    throw error
  })
  return done
}

type Drift = { entity: string; key: string }
const MOST_KEYS = 1_000

/** Records that only the server has changed keep that in an install: here the snapshot wins. */
async function revertEdits({ client }: Target, id: string, scope: Scope): Promise<number> {
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

const differenceLines = (all: readonly Difference[]): string[] =>
  all.map(
    ({ path, added, removed }) =>
      `  ${path}: ${counted(added, 'line')} here alone, ${counted(removed, 'line')} in the snapshot alone`,
  )
