import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'
import { mailParams } from '@/lib/mail/contract'
import { getMail } from '@/lib/mail/get-mail'

/** One mail with its content while that is kept. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    access: 'mail:manage',
    params: mailParams,
    handle: async ({ deps, params: { id } }) => ({ data: [await getMail(deps, id)] }),
  }),
})
