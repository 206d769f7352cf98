/** Starts the engine under `next dev`. In production our own server has, before it loads Next. */
export async function register(): Promise<void> {
  if (process.env.NEXT_RUNTIME !== 'nodejs') return
  if ('__engine' in globalThis) return
  const { startDevelopment } = await import('./lib/server/start-development')
  await startDevelopment()
}
