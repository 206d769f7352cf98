import { testAccess } from './testing/access'

await testAccess((path) => /^\/api\/(exports|images|tasks|trash|views)/.test(path))
