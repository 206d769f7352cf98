import { methods } from '@/lib/http/methods'
import { route } from '@/lib/http/route'

/** Whether the process answers at all. */
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = methods({
  GET: route({ access: 'public', handle: async () => ({ data: [{ status: 'up' }] }) }),
})
