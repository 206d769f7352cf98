import type { ServerCheck } from '@/lib/checks/contract'
import { Client } from '../client'
import type { Outcome } from '../failure'
import { colorsOf, type Io } from '../io'
import { counted, toned } from '../report'

/** Shows what the server has found of itself, and what to do; fails at a fault. */
export async function doctor(io: Io, url: string | undefined): Promise<Outcome> {
  const env = { ...io.env, ...(url && { ENGINE_URL: url }) }
  const { data } = await new Client({ ...io, env }).json('/api/server/checks')
  const checks = data as ServerCheck[]
  const colors = colorsOf(io)
  const lines = checks.flatMap(({ title, status, finding, action }) => [
    `${toned(colors, status)}  ${title}: ${finding}`,
    ...(action === null ? [] : [`            ${action}`]),
  ])
  const count = (status: ServerCheck['status']) =>
    checks.filter((check) => check.status === status).length
  const sum = `${counted(checks.length, 'check')}, ${counted(count('warning'), 'warning')}, ${counted(count('fault'), 'fault')}`
  return { lines: [...lines, sum], json: checks, failed: count('fault') > 0 }
}
