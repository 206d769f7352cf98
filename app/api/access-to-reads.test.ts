import { routes, testAccess } from './testing/access'

testAccess(
  routes.filter(({ method, path }) => method === 'GET' && !path.startsWith('/api/plugins')),
)
