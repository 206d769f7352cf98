/** An attribute of a SCIM schema, as `/Schemas` shows it (RFC 7643, 7). */
export type Attribute = {
  name: string
  type: 'string' | 'boolean' | 'complex'
  multiValued: boolean
  description: string
  required: boolean
  caseExact: boolean
  mutability: 'readWrite' | 'readOnly' | 'immutable'
  returned: 'default' | 'always'
  uniqueness: 'none' | 'server'
  subAttributes?: readonly Attribute[]
}

type More = Partial<Omit<Attribute, 'name' | 'description'>>

const attribute = (name: string, description: string, more: More = {}): Attribute => ({
  ...{ name, type: 'string', multiValued: false, description, required: false, caseExact: false },
  ...{ mutability: 'readWrite', returned: 'default', uniqueness: 'none', ...more },
})

const text = (name: string, description: string) => attribute(name, description)

const complex = (name: string, description: string, of: readonly Attribute[], more: More = {}) =>
  attribute(name, description, { type: 'complex', subAttributes: of, ...more })

const VALUES = [
  text('value', 'The value'),
  text('display', 'A name of it for people'),
  text('type', 'What it is used for: work, home, other'),
  attribute('primary', 'Whether it is the preferred one', { type: 'boolean' }),
]

const many = (name: string, description: string, of: readonly Attribute[] = VALUES) =>
  complex(name, description, of, { multiValued: true })

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

/** What the account itself holds. */
const OF_ACCOUNT = [
  attribute('userName', 'The email address of the account', {
    required: true,
    returned: 'always',
    uniqueness: 'server',
  }),
  attribute('active', 'Whether the account may sign in', { type: 'boolean' }),
]

const NAME = [
  text('formatted', 'The whole name'),
  text('familyName', 'The family name'),
  text('givenName', 'The given name'),
  text('middleName', 'The middle name'),
  text('honorificPrefix', 'A title before the name'),
  text('honorificSuffix', 'A suffix after the name'),
]

const ADDRESS = [
  text('formatted', 'The whole address'),
  text('streetAddress', 'Street and number'),
  text('locality', 'The town'),
  text('region', 'The state or region'),
  text('postalCode', 'The postal code'),
  text('country', 'The country'),
  text('type', 'What it is used for: work, home, other'),
  attribute('primary', 'Whether it is the preferred one', { type: 'boolean' }),
]

/** What is kept as it is sent. */
export const KEPT: readonly Attribute[] = [
  complex('name', 'The parts of the name', NAME),
  text('displayName', 'The name that is shown'),
  text('nickName', 'How the user is called'),
  text('title', 'The position, such as Vice President'),
  text('userType', 'The relation to the organisation'),
  text('preferredLanguage', 'The preferred language'),
  text('locale', 'The locale, such as en-GB'),
  text('timezone', 'The time zone, such as Europe/London'),
  many('emails', 'Email addresses'),
  many('phoneNumbers', 'Telephone numbers'),
  many('addresses', 'Postal addresses', ADDRESS),
]

const readOnly = { mutability: 'readOnly' } as const

const GROUPS_OF_USER = complex(
  'groups',
  'The groups of the user; changed at the groups',
  [
    attribute('value', 'The id of the group', readOnly),
    attribute('display', 'The name of the group', readOnly),
  ],
  { ...readOnly, multiValued: true },
)

export const USER_ATTRIBUTES: readonly Attribute[] = [...OF_ACCOUNT, ...KEPT, GROUPS_OF_USER]

export const ENTERPRISE_ATTRIBUTES: readonly Attribute[] = [
  text('employeeNumber', 'The number of the employee'),
  text('costCenter', 'The cost centre'),
  text('organization', 'The organisation'),
  text('division', 'The division'),
  text('department', 'The department'),
  complex('manager', 'The manager', [
    attribute('value', 'The id of the manager', { caseExact: true }),
    text('displayName', 'The name of the manager'),
  ]),
]

export const GROUP_ATTRIBUTES: readonly Attribute[] = [
  attribute('displayName', 'The name of the group', {
    required: true,
    returned: 'always',
    uniqueness: 'server',
  }),
  complex(
    'members',
    'The users of the group',
    [
      attribute('value', 'The id of the user', { mutability: 'immutable', caseExact: true }),
      attribute('display', 'The email address of the user', readOnly),
      attribute('type', 'User', { mutability: 'immutable' }),
    ],
    { multiValued: true },
  ),
]

const id = attribute('id', 'The id', { ...readOnly, caseExact: true, returned: 'always' })
const META = complex(
  'meta',
  'Facts about the resource',
  ['resourceType', 'created', 'lastModified', 'location', 'version'].map((name) =>
    attribute(name, name, readOnly),
  ),
  readOnly,
)
const externalId = attribute('externalId', 'The id at the identity provider', { caseExact: true })
const schemas = attribute('schemas', 'The schemas', { ...readOnly, multiValued: true })

/** What every resource has besides its schemas. */
const COMMON = [id, externalId, META, schemas]

/** The schemas of a resource: the attributes of its own one, and those of extensions by their URN. */
export type ResourceSchema = {
  urn: string
  attributes: readonly Attribute[]
  extensions: Readonly<Record<string, readonly Attribute[]>>
}

export const USER_SCHEMA: ResourceSchema = {
  urn: USER,
  attributes: [...COMMON, ...USER_ATTRIBUTES],
  extensions: { [ENTERPRISE]: ENTERPRISE_ATTRIBUTES },
}

export const GROUP_SCHEMA: ResourceSchema = {
  urn: GROUP,
  attributes: [...COMMON, ...GROUP_ATTRIBUTES],
  extensions: {},
}

export const findAttribute = (
  attributes: readonly Attribute[],
  name: string,
): Attribute | undefined =>
  attributes.find((known) => known.name.toLowerCase() === name.toLowerCase())
