/** Texts of favourites. */
export const favouriteMessages = {
  favourites: 'Favourites',
  favourite: 'Favourite',
  label: (name: string) => `${name} is a favourite`,
  add: 'Add to favourites',
  remove: 'Remove from favourites',
  load_failed: 'Failed to load your favourites.',
  loading: 'Loading your favourites',
  none: 'No favourites here yet',
  none_hint: 'The star beside the name of a task makes it a favourite, and so does the key f.',
  failed: 'Failed to change the favourite',
} as const
