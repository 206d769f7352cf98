import { POST as TRUST } from '@/app/api/publishers/route'
import type { Deps } from '@/lib/deps'
import type { Env } from '@/lib/env'
import { pluginFiles } from '@/lib/testing/archive'
import { call } from '@/lib/testing/request'
import { newKey, signedFiles } from '@/lib/testing/signed-archive'
import { type Files, historyOf, upload } from './plugin-api'

export const acme = newKey()
export const other = newKey()

/** A version of a plugin, whose description tells it from others. */
export const shop = (version: string | null = '1.0.0', description = '') =>
  pluginFiles(
    {
      EngineEntities: { files: { 'Shoe.json': { name: 'Shoe' } } },
      Shoe: { files: { 'data.json': [{ id: 1, name: `of ${version}` }] } },
    },
    { version, description },
  )
export const signedShop = async (version?: string | null, key = acme) =>
  signedFiles(shop(version), key)

export const setPolicy = (deps: Deps, policy: Env['PLUGIN_SIGNATURES']) => {
  deps.settings = { ...deps.settings, PLUGIN_SIGNATURES: policy }
}

export const trust = async (deps: Deps, { publicKey } = acme, name = 'Acme') => {
  const body = { name, publicKey }
  const { body: made } = await call(deps, TRUST, {
    ...{ method: 'POST', path: '/api/publishers', as: 'ADMIN', body },
  })
  return made.data[0] as { id: string; keyId: string }
}

/** What an upload is answered: the status, the reason, and what is in the history. */
export async function outcome(deps: Deps, files: Files | Uint8Array, query = '') {
  const { status, body } = await upload(deps, files, { query })
  const history = body.data?.history ? await historyOf(deps, body.data.history) : null
  return { status, error: body.error, meta: body.meta, history, plan: body.data?.plan }
}
