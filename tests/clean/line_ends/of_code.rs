fn a() {
    b();
}
