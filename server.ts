/** The production server: `npm run build` bundles it to `dist/server.mjs`. */
import nextEnv from '@next/env'

Object.assign(process.env, { NODE_ENV: 'production' })
nextEnv.loadEnvConfig(process.cwd(), false, { info: () => {}, error: console.error })
const { startServer } = await import('./lib/server/start-server')
await startServer(async () => (await import('./app/api/all-routes')).ALL_ROUTES)
