import { testAccess } from './testing/access'

await testAccess((path) => !/^\/api\/(api-keys|auth|entities|plugins|users)/.test(path))
