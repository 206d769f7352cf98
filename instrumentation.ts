/** Runs once, before the first request: checks the environment and brings the database up to date. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  const { startServer } = await import('./lib/start-server')
  await startServer()
}
