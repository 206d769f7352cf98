import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '../client'
import { EXIT, Failure, type Outcome } from '../failure'
import { type Plan, planLines } from '../install'
import type { Io } from '../io'
import {
  changedPlugins,
  changedSettings,
  eachPlugin,
  installPlugin,
  itemsOf,
  planPlugin,
  refusal,
  type Target,
} from '../snapshot/carry-out'
import { differences } from '../snapshot/compare'
import { writeFolder } from '../snapshot/folder'
import { Promotion, undo } from '../snapshot/promotion'
import { planSettings, readSettings, writeSettings } from '../snapshot/settings-files'
import { type Files, takeSnapshot } from '../snapshot/snapshot'

type Options = {
  from?: string
  to?: string
  plan?: boolean
  seal?: string
  records?: 'all' | 'none'
  entities?: string
  onConflict?: string
  undo?: boolean
}

/**
 * Brings what one server has to another: what only the other has changed since the last time stays, and what both have
 * is a conflict. Each plugin is installed as a whole; the report says what was done, and takes it back.
 */
export async function promote(io: Io, report: string, options: Options): Promise<Outcome> {
  const to = clientOf(io, options.to, 'to')
  if (options.undo) return undo(to, await Promotion.read(io, report), options.to ?? '')
  const from = clientOf(io, options.from, 'from')
  const entities = options.entities?.split(',').map((name) => name.trim()) ?? null
  const scope = { records: options.records ?? 'all', entities } as const
  const wanted = await takeSnapshot(from, scope)
  const found = differences(wanted, await takeSnapshot(to, scope))
  const folder = await mkdtemp(join(tmpdir(), 'engine-promote-'))
  try {
    await writeFolder(folder, wanted)
    const rules = {
      ...{ mode: 'atomic', onConflict: options.onConflict ?? 'fail', deleted: 'keep' },
      removed: scope.records === 'all' && entities === null ? 'delete' : 'keep',
    }
    const target = { client: to, io, folder, rules }
    const planned = await planAll(target, wanted, found)
    if (options.plan || isNothing(planned)) return shown(io, planned)
    return await carryOut(target, planned, wanted, options, report)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function clientOf(io: Io, url: string | undefined, side: 'from' | 'to'): Client {
  const name = `ENGINE_${side.toUpperCase()}_KEY`
  const key = io.env[name]
  if (!url) throw new Failure(`Name the server with --${side}`, EXIT.usage)
  if (!key)
    throw new Failure(`Set ${name} in the environment: an API key of an administrator`, EXIT.usage)
  return new Client({ ...io, env: { ENGINE_URL: url, ENGINE_API_KEY: key } })
}

type Planned = {
  plans: Plan[]
  ids: string[]
  settings: string[]
  seal: string
  files: ReturnType<typeof changedSettings>
}

async function planAll(
  target: Target,
  wanted: Files,
  found: ReturnType<typeof differences>,
): Promise<Planned> {
  const plans: Plan[] = []
  for (const id of changedPlugins(wanted, found)) plans.push(await planPlugin(target, id))
  const changing = plans.filter(({ files }) => files.some(({ status }) => !IDLE.has(status)))
  const files = changedSettings(found)
  const settings: string[] = []
  for (const file of files)
    settings.push(...(await planSettings(target.client, file, itemsOf(wanted, file))))
  const sealed = [
    ...changing.map(({ seal }) => seal),
    ...settings,
    ...files.map((file) => JSON.stringify(itemsOf(wanted, file))),
  ]
  const seal = createHash('sha256').update(JSON.stringify(sealed)).digest('base64url')
  return { plans: changing, ids: changing.map(({ pluginId }) => pluginId), settings, seal, files }
}

const IDLE = new Set(['unchanged', 'ignored'])
const isNothing = ({ plans, settings }: Planned) => plans.length + settings.length === 0

function shown(io: Io, planned: Planned): Outcome {
  if (isNothing(planned)) return { lines: ['Nothing to do'], json: { plans: [], settings: [] } }
  const { plans, settings, seal } = planned
  const lines = plans.flatMap((plan) => planLines(io, plan))
  const failed = plans.some(({ failedCount }) => failedCount > 0)
  return {
    lines: [...lines, ...settings, `seal of all: ${seal}`],
    json: { plans, settings, seal },
    failed,
  }
}

async function carryOut(
  target: Target,
  { plans, ids, files, seal }: Planned,
  wanted: Files,
  options: Options,
  report: string,
): Promise<Outcome> {
  if (options.seal !== undefined && options.seal !== seal)
    throw new Failure('The plan no longer holds: one of the servers has changed. Plan again')
  const inConflict = plans.filter(({ files }) =>
    files.some((file) => (file.conflictCount ?? 0) > 0),
  )
  if (target.rules.onConflict === 'fail' && inConflict.length > 0) {
    const refused = refusal(target.io, inConflict)
    throw new Failure(`${refused.message}\nDecide with --on-conflict keep or take`)
  }
  const promotion = await Promotion.start(target.io, report, options.to ?? '')
  const done: string[] = []
  await eachPlugin(target, ids, async (id, plan) => {
    await promotion.begin(target.client, id)
    const { history } = await installPlugin(target, id, plan.seal)
    await promotion.installed(history)
    done.push(`installed  ${id} ${plan.version ?? ''}; install ${history} in the history`)
  })
  for (const file of files) {
    const written = itemsOf(wanted, file)
    await promotion.settings(file.name, {
      before: await readSettings(target.client, file),
      written,
    })
    done.push(...(await writeSettings(target.client, file, written)))
  }
  await promotion.finish()
  return {
    lines: [...done, `The report is ${promotion.path}`],
    json: { done, report: promotion.path },
  }
}
