import DefaultTheme from 'vitepress/theme-without-fonts';
import Layout from './Layout.vue';
import { boostDocument } from './search.js';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout,
  enhanceApp({ siteData }) {
    // A function cannot be part of the configuration, see there.
    siteData.value.themeConfig.search.options.miniSearch.searchOptions.boostDocument = boostDocument;
  },
};
