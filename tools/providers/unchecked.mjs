/** Of a row that there is nothing to compare with. */
export const WITHOUT_LIBRARY = 'its maker publishes neither a library that sends this nor a free specification';
