import { testAccess } from './testing/access'

await testAccess((path) => /^\/api\/(api-keys|auth|users)/.test(path))
