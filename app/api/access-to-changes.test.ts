import { routes, testAccess } from './testing/access'

testAccess(routes.filter(({ method }) => method !== 'GET' && method !== 'POST'))
