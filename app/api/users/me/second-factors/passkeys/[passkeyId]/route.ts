import { methods, route } from '@/lib/http/route'
import { listOf } from '@/lib/openapi/responses'
import { removePasskey, renamePasskey } from '@/lib/second-factors/change-passkey'
import { passkey } from '@/lib/second-factors/contract'
import { toPasskey } from '@/lib/second-factors/describe-factors'
import { passkeyParams, renamePasskeyBody } from '@/lib/second-factors/passkey-contract'

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  PATCH: route({
    doc: {
      id: 'renamePasskey',
      summary: 'Rename a passkey',
      responses: { 200: passkey },
      fails: ['conflict'],
    },
    access: 'own-session',
    params: passkeyParams,
    body: renamePasskeyBody,
    handle: async ({ deps, actor, requestId, params: { passkeyId: id }, body: { name } }) => ({
      data: [toPasskey(await renamePasskey(deps, { id, name }, { actor, requestId }))],
    }),
  }),
  DELETE: route({
    doc: {
      id: 'removePasskey',
      summary: 'Remove a passkey',
      responses: { 200: listOf(passkey.pick({ id: true })) },
      fails: ['conflict'],
    },
    access: 'own-session',
    params: passkeyParams,
    handle: async ({ deps, actor, requestId, params: { passkeyId: id } }) => {
      await removePasskey(deps, id, { actor, requestId })
      return { data: [{ id }] }
    },
  }),
})
