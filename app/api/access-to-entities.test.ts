import { testAccess } from './testing/access'

await testAccess((path) => path.startsWith('/api/entities'))
