import { carryOut, requirePlanned } from '@/lib/promotion/carry-out'
import { isNothing, type Planned, planPromotion } from '@/lib/promotion/plan-promotion'
import { undoPromotion } from '@/lib/promotion/undo-promotion'
import { Client } from '../client'
import { EXIT, Failure, type Outcome } from '../failure'
import { planLines } from '../install'
import type { Io } from '../io'
import { PromotionReport } from '../snapshot/promotion-report'
import { withPlans } from '../snapshot/refusal'

type Options = {
  from?: string
  to?: string
  plan?: boolean
  seal?: string
  records?: 'all' | 'none'
  entities?: string
  where?: string[]
  onConflict?: 'keep' | 'take' | 'fail'
  undo?: boolean
}

/**
 * Brings what one server has to another: what only the other has changed since the last time stays, and what both have
 * is a conflict. Each plugin is installed as a whole; the report says what was done, and takes it back.
 */
export async function promote(io: Io, report: string, options: Options): Promise<Outcome> {
  const to = clientOf(io, options.to, 'to')
  if (options.undo) return undo(to, await PromotionReport.read(io, report), options.to ?? '')
  const from = clientOf(io, options.from, 'from')
  const planned = await planPromotion(from, to, {
    records: options.records ?? 'all',
    entities: options.entities?.split(',').map((name) => name.trim()) ?? null,
    where: conditionsOf(options.where),
    onConflict: options.onConflict ?? 'fail',
  })
  if (options.plan || isNothing(planned)) return shown(io, planned)
  try {
    requirePlanned(planned, options.seal)
    const made = await PromotionReport.start(io, report, options.to ?? '')
    const done: string[] = []
    const carried = carryOut(planned, made.journal, (line) => void done.push(line))
    await carried.catch((error: unknown) => made.end(error))
    await made.finish()
    return { lines: [...done, `The report is ${made.path}`], json: { done, report: made.path } }
  } catch (error) {
    throw withPlans(io, error)
  }
}

/** Of `Entity=filter`. */
function conditionsOf(all: readonly string[] = []): Record<string, string> {
  const parts = all.map((text) => /^([^=]+)=(.+)$/s.exec(text) ?? [text])
  for (const [text, entity] of parts)
    if (entity === undefined)
      throw new Failure(`Write --where as Entity=filter, not ${text}`, EXIT.usage)
  return Object.fromEntries(parts.map(([, entity = '', filter = '']) => [entity.trim(), filter]))
}

function clientOf(io: Io, url: string | undefined, side: 'from' | 'to'): Client {
  const name = `ENGINE_${side.toUpperCase()}_KEY`
  const key = io.env[name]
  if (!url) throw new Failure(`Name the server with --${side}`, EXIT.usage)
  if (!key)
    throw new Failure(`Set ${name} in the environment: an API key of an administrator`, EXIT.usage)
  return new Client({ ...io, env: { ENGINE_URL: url, ENGINE_API_KEY: key } })
}

function shown(io: Io, planned: Planned): Outcome {
  if (isNothing(planned)) return { lines: ['Nothing to do'], json: { plans: [], settings: [] } }
  const { plans, seal } = planned
  const settings = planned.settings.map(({ change, name }) => `${change}  ${name}`)
  const lines = [
    ...plans.flatMap((plan) => planLines(io, plan)),
    ...settings,
    ...planned.settings.flatMap(({ name, missing }) =>
      missing ? `missing  ${name}: ${missing}` : [],
    ),
    ...planned.alone.map((name) => `stays  ${name}, which the target alone has`),
    ...planned.environment.map(
      ({ variable, label, source, target }) =>
        `differs  ${label} (${variable}): ${source} at the source, ${target} at the target`,
    ),
  ]
  const failed = plans.some(({ failedCount }) => failedCount > 0)
  return {
    lines: [...lines, `seal of all: ${seal}`],
    json: { plans, settings, alone: planned.alone, environment: planned.environment, seal },
    failed,
  }
}

async function undo(
  client: Client,
  { path, report }: PromotionReport,
  to: string,
): Promise<Outcome> {
  // The numbers of installs are those of its history alone.
  if (report.to !== to)
    throw new Failure(`${path} is of a promotion to ${report.to}, not to ${to}`, EXIT.usage)
  const done = await undoPromotion(client, report)
  return { lines: done.length > 0 ? done : ['Nothing to take back'], json: { done } }
}
