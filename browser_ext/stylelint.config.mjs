// What `npm run css` checks here and in ../penny_site/static/penny: the rules that find faults, none of taste.
export default {
  extends: 'stylelint-config-recommended',
  rules: {
    // It compares selectors by their last part alone, which here seldom match the same element.
    'no-descending-specificity': null,
  },
}
