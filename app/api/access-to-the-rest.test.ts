import { testAccess } from './testing/access'

await testAccess(
  (path) => !/^\/api\/(api-keys|auth|entities|images|plugins|trash|users|views)/.test(path),
)
