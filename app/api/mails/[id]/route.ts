import { methods, route } from '@/lib/http/route'
import { mail, mailParams } from '@/lib/mail/contract'
import { getMail } from '@/lib/mail/get-mail'

/** One mail, with its content if that is kept. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({
    doc: { id: 'readMail', summary: 'Read a mail', responses: { 200: mail } },
    access: 'mail:manage',
    params: mailParams,
    handle: async ({ deps, actor, params: { id } }) => ({ data: [await getMail(deps, id, actor)] }),
  }),
})
