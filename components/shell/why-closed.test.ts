import { expect, test } from 'vitest'
import { rightBehind } from './why-closed'

test.each([
  ['/entities/Airport?create=true', 'read records of Airport'],
  ['/entities/R%C3%A9gion/definition', 'read records of Région'],
  ['/entities/%E0%A4%A', 'read records of %E0%A4%A'],
  ['/entities/Airport?as=role:Clerk', 'see records as somebody else does'],
  ['/entities/Airport/definition/edit', 'install and uninstall plugins'],
  ['/new-entity', 'install and uninstall plugins'],
  ['/users/new', 'manage users'],
  ['/roles', 'manage users'],
  ['/roles/Clerk', 'manage roles, policies and second factors'],
  ['/plugins/history', 'see plugins'],
  ['/trash', 'delete records of any entity'],
  ['/somewhere', 'open it'],
])('%s: %s', (address, right) => expect(rightBehind(address)).toBe(right))
