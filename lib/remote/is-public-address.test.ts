import { expect, test } from 'vitest'
import { isPublicAddress } from './resolve-host'

test.each(['1.1.1.1', '93.184.215.14', '2606:4700:4700::1111', '2a00:1450:4001:82a::200e'])(
  '%s is of the internet',
  (address) => {
    expect(isPublicAddress(address)).toBe(true)
  },
)

test.each([
  ['this machine', '127.0.0.1'],
  ['this machine', '127.255.255.254'],
  ['this machine', '::1'],
  ['any address', '0.0.0.0'],
  ['any address', '::'],
  ['this network', '0.1.2.3'],
  ['private', '10.0.0.1'],
  ['private', '172.16.0.1'],
  ['private', '172.31.255.255'],
  ['private', '192.168.1.1'],
  ['unique local', 'fd00::1'],
  ['site-local', 'fec0::1'],
  ['shared by a carrier', '100.64.0.1'],
  ['shared by a carrier', '100.127.255.255'],
  ['link-local', '169.254.169.254'],
  ['link-local', 'fe80::1'],
  ['link-local', 'fe80::1%eth0'],
  ['multicast', '224.0.0.1'],
  ['multicast', 'ff02::1'],
  ['broadcast', '255.255.255.255'],
  ['reserved', '240.0.0.1'],
  ['for protocols', '192.0.0.8'],
  ['documentation', '192.0.2.1'],
  ['documentation', '2001:db8::1'],
  ['benchmarks', '198.18.0.1'],
  ['mapped from IPv4', '::ffff:1.1.1.1'],
  ['mapped from IPv4', '::ffff:7f00:1'],
  ['compatible with IPv4', '::127.0.0.1'],
  ['NAT64', '64:ff9b::7f00:1'],
  ['NAT64', '64:ff9b::1.1.1.1'],
  ['local NAT64', '64:ff9b:1::a00:1'],
  ['translated', '::ffff:0:127.0.0.1'],
  ['6to4', '2002:7f00:1::'],
  ['Teredo', '2001::1'],
  ['discarded', '100::1'],
  ['not assigned', '4000::1'],
  ['no address', 'example.com'],
  ['no address', ''],
])('%s: %s is not', (_, address) => {
  expect(isPublicAddress(address)).toBe(false)
})
