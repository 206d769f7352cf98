import { spawnSync } from 'node:child_process'
import postgres from 'postgres'
import { StepError } from '../steps/run.mjs'
import { findBinaries, startThrowawayPostgres } from '../steps/throwaway-postgres.mjs'

/** In place of the image of PostgreSQL: a server with the user and the database of its settings. */
export async function startDatabase({ POSTGRES_USER, POSTGRES_DB, POSTGRES_PASSWORD }) {
  const server = await startThrowawayPostgres()
  if (!server) throw new StepError('Install PostgreSQL')
  const sql = postgres(server.url, { max: 1, onnotice: () => {} })
  await sql.unsafe(`create role ${POSTGRES_USER} superuser login password '${POSTGRES_PASSWORD}'`)
  await sql.unsafe(`create database ${POSTGRES_DB} owner ${POSTGRES_USER}`)
  await sql.end()
  return { host: new URL(server.url).host, stop: server.stop }
}

/** Runs the health check of the service on it. */
export function checkDatabase([shell, command], host) {
  if (shell !== 'CMD-SHELL') throw new StepError(`healthcheck: ${shell} is not understood`)
  const [PGHOST, PGPORT] = host.split(':')
  const env = { PATH: `${findBinaries()}:${process.env.PATH}`, PGHOST, PGPORT }
  const { status } = spawnSync('sh', ['-c', command], { env })
  if (status !== 0) throw new StepError(`${command} ended with ${status}`)
}
