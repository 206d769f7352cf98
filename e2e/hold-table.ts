import postgres from 'postgres'
import { SERVER_ENV } from './server-settings'

/**
 * Makes writers of the table of `entity` wait until the function that is returned is called; its readers go on. An embedded database
 * is open to the server alone and held by nothing: there, writing takes its time.
 */
export async function holdTable(entity: string): Promise<() => Promise<void>> {
  const { E2E_DATABASE_URL, PORT } = SERVER_ENV
  if (E2E_DATABASE_URL === '') return async () => {}
  const url = new URL(E2E_DATABASE_URL)
  url.pathname = `/engine_e2e_${PORT}`
  const sql = postgres(url.href, { max: 1 })
  const connection = await sql.reserve()
  await connection`begin`
  await connection`lock table ${connection(`entities.${entity.toLowerCase()}`)} in share mode`
  return async () => {
    connection.release()
    await sql.end({ timeout: 0 })
  }
}
