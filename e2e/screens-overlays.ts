import type { APIRequestContext } from '@playwright/test'
import {
  chooseImages,
  createKey,
  deleteAll,
  dialogOf,
  draftShown,
  editCell,
  editLabels,
  editMatching,
  editView,
  findPort,
  historyTab,
  importCountries,
  jsonTab,
  keys,
  leaveForm,
  menuItem,
  type Open,
  openCellMenu,
  openFields,
  openMenu,
  openPanel,
  openRow,
  pickReference,
  plan,
  press,
  refuseForm,
  saveView,
  selectPage,
  shown,
  signInOverForm,
} from './overlay-acts'
import { INVITED } from './seed-little'

/** `journey`: the spec that checks its accessibility on its way. */
export type Overlay = { name: string; path: string; open: Open; journey?: string }

const NESTED = [
  { field: 'type', operator: 'eq', value: 'large_airport' },
  {
    operator: 'or',
    filters: [
      { field: 'elevationFt', operator: 'between', value: [0, 1000] },
      { field: 'country', operator: 'in', value: ['DE', 'FR', 'ES', 'IT'] },
    ],
  },
]
const FILTERED = `/entities/Airport?sort=name:desc&filter=${encodeURIComponent(JSON.stringify(NESTED))}`

const WRONG = `/entities/Airport?filter=${encodeURIComponent(JSON.stringify([{ field: 'elevationFt', operator: 'gt', value: 'high' }]))}`

const AIRPORTS = '/entities/Airport'
const NEW_AIRPORT = '/entities/Airport?create=true'
const NEW_COUNTRY = '/entities/Country?create=true'
const GERMANY = '/entities/Country?record=DE'

const VIEWER_READS = '/roles/VIEWER?entity=Airport&action=read'

const SHELL: Overlay[] = [
  { name: 'menu', path: '/entities', open: openMenu },
  { name: 'account', path: '/', open: press(/^Account /) },
  { name: 'commands', path: '/', open: keys('Control+k') },
  { name: 'commands-found', path: '/', open: findPort, journey: 'navigation' },
  { name: 'shortcuts', path: '/', open: keys('?'), journey: 'shell' },
]

const PLUGINS: Overlay[] = [
  { name: 'plan', path: '/plugins', open: plan(['broken-example']), journey: 'plugins' },
  { name: 'plans-queued', path: '/plugins', open: plan(['world-airports', 'broken-example']) },
  { name: 'plugin-menu', path: '/plugins', open: press(/^Actions for /) },
  {
    name: 'plugin-uninstall',
    path: '/plugins/com.ourairports.world-airports',
    open: dialogOf('Uninstall', 'alertdialog'),
    journey: 'plugin-uninstall',
  },
]

const LISTS: Overlay[] = [
  { name: 'filtered', path: FILTERED, open: async () => {} },
  { name: 'filter-new', path: AIRPORTS, open: openFields },
  {
    name: 'filter-wrong',
    path: WRONG,
    open: openPanel(/^Wrong condition/, 'Apply'),
    journey: 'filters',
  },
  { name: 'filter', path: FILTERED, open: openPanel(/^Filter/, 'Apply') },
  { name: 'filter-chip', path: FILTERED, open: openPanel(/^Type is/, 'Apply') },
  { name: 'columns', path: FILTERED, open: openPanel('Columns', 'Reset columns and widths') },
  { name: 'views', path: FILTERED, open: press('Views') },
  { name: 'view-save', path: FILTERED, open: saveView, journey: 'views' },
  {
    name: 'views-manage',
    path: AIRPORTS,
    open: menuItem('Views', 'Manage views', 'dialog'),
    journey: 'views',
  },
  { name: 'view-edit', path: AIRPORTS, open: editView },
  { name: 'display', path: '/entities/Ware', open: press(/^Show as/) },
  { name: 'cell-menu', path: AIRPORTS, open: openCellMenu },
  { name: 'export', path: FILTERED, open: press('Export') },
  { name: 'import', path: '/entities/Country', open: importCountries, journey: 'import' },
  {
    name: 'api',
    path: FILTERED,
    open: menuItem('More actions', 'API', 'dialog'),
    journey: 'failures',
  },
  { name: 'selected', path: AIRPORTS, open: selectPage },
  { name: 'edit-cell', path: AIRPORTS, open: editCell, journey: 'cell-editing' },
  { name: 'edit-matching', path: FILTERED, open: editMatching, journey: 'bulk-edit' },
  { name: 'delete-all', path: AIRPORTS, open: deleteAll, journey: 'entities' },
]

const FORMS: Overlay[] = [
  { name: 'delete-one', path: GERMANY, open: dialogOf('Delete', 'alertdialog') },
  { name: 'record-history', path: GERMANY, open: historyTab, journey: 'record-history' },
  { name: 'record-json', path: `${GERMANY}&edit=true`, open: jsonTab },
  { name: 'reference', path: NEW_AIRPORT, open: pickReference },
  { name: 'refused', path: NEW_AIRPORT, open: refuseForm, journey: 'entities' },
  { name: 'sign-in', path: NEW_COUNTRY, open: signInOverForm, journey: 'drafts' },
  { name: 'unsaved', path: NEW_COUNTRY, open: leaveForm, journey: 'drafts' },
  { name: 'draft', path: NEW_COUNTRY, open: draftShown, journey: 'drafts' },
]

const PEOPLE: Overlay[] = [
  { name: 'key', path: '/api-keys', open: dialogOf('New key'), journey: 'administration' },
  { name: 'key-shown', path: '/api-keys', open: createKey },
  {
    name: 'key-revoke',
    path: '/api-keys',
    open: menuItem(/^Actions for /, 'Revoke', 'alertdialog'),
  },
  { name: 'audit', path: '/audit', open: openRow, journey: 'administration' },
  { name: 'rights', path: '/roles', open: openRow, journey: 'roles' },
  { name: 'new-role', path: '/roles', open: dialogOf('New role') },
  { name: 'policies', path: VIEWER_READS, open: shown, journey: 'role-rights' },
  { name: 'policy', path: VIEWER_READS, open: press('Add a policy'), journey: 'role-rights' },
  { name: 'upload', path: '/images', open: chooseImages, journey: 'images' },
  { name: 'folders', path: '/images', open: press('Folder'), journey: 'image-folders' },
  {
    name: 'image-address',
    path: '/images',
    open: dialogOf('From an address'),
    journey: 'image-address',
  },
  { name: 'image-labels', path: '/images', open: editLabels, journey: 'image-labels' },
]

/** Everything that opens over pages, on a server with what `seedLittle` brings at least. */
export async function overlays(api: APIRequestContext): Promise<Overlay[]> {
  const first = async (path: string) => (await (await api.get(path)).json()).data[0]
  const mail = await first('/api/mails')
  const image = await first('/api/images')
  const deletion = await first('/api/trash')
  const { userId } = await first(`/api/users?filter=email:eq:${INVITED}`)
  const user = `/users/${userId}`
  const more = (item: string, opens: 'dialog' | 'alertdialog') =>
    menuItem('More actions', item, opens)
  const trash = `/trash?batch=${deletion.batchId}`
  return [
    ...SHELL,
    ...PLUGINS,
    ...LISTS,
    ...FORMS,
    ...PEOPLE,
    { name: 'mail', path: `/mail?mail=${mail.id}`, open: shown, journey: 'administration' },
    { name: 'user', path: user, open: press('More actions') },
    { name: 'user-edit', path: user, open: dialogOf('Edit') },
    { name: 'user-password', path: user, open: more('Set a password', 'dialog') },
    { name: 'user-disable', path: user, open: more('Disable', 'alertdialog') },
    { name: 'user-delete', path: user, open: more('Delete', 'alertdialog') },
    { name: 'image', path: `/images?image=${image.fileId}`, open: shown, journey: 'images' },
    {
      name: 'image-delete',
      path: `/images?image=${image.fileId}`,
      open: dialogOf('Delete', 'alertdialog'),
      journey: 'image-uses',
    },
    { name: 'deleted', path: trash, open: shown, journey: 'trash' },
    { name: 'restore', path: trash, open: dialogOf(/^Restore/, 'alertdialog'), journey: 'trash' },
  ]
}
