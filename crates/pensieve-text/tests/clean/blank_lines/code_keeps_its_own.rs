fn a() {}



fn b() {}
